import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from '@daybook/testing/workspaces';
import { expect, test } from '@jest/globals';

const bootstrap = (...parameters: string[]) =>
  spawnSync(process.execPath, [path.join(root, 'scripts/bootstrap.mjs'), ...parameters], { encoding: 'utf8' });

test.each([['strat'], ['chaos-'], ['../site'], ['']])(
  'an unknown command is named, and nothing is run: %p',
  (command) => {
    const { status, stdout, stderr } = bootstrap(command);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toBe(`There is no command “${command}”. See README.md for those there are.\n`);
  },
);

test('no command at all is an unknown command', () => {
  expect(bootstrap().status).toBe(2);
});

test('a command gets its parameters and gives its exit code', () => {
  const { status, stderr } = bootstrap('test', 'everything');
  expect(stderr).toContain('There is no test step “everything”');
  expect(status).toBe(1);
});
