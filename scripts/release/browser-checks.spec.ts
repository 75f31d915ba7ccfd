import { type Child, startNode } from '@daybook/testing/processes';
import { afterEach, describe, expect, test } from '@jest/globals';
import { waitUntilServed } from './browser-checks.ts';

const children: Child[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A server that runs this code and then keeps running, if it can. */
const server = (code: string) => {
  const child = startNode(['-e', `${code}; setInterval(() => undefined, 1000);`], { output: 'pipe' });
  children.push(child);
  return child;
};
const never = async () => false;

/** Far below the timeout. */
const atOnce = 10_000;

describe('the shell server that serves a candidate', () => {
  test('is ready once it serves the release', async () => {
    let checks = 0;
    await waitUntilServed(server(''), async () => ++checks === 3);
    expect(checks).toBe(3);
  });

  test(
    'fails at once with the logged error when it rejects the release',
    async () => {
      const rejection = JSON.stringify({ level: 50, msg: 'mf-press: it has 2001 files; at most 2000 are taken' });
      const rejecting = server(`console.log('{"level":40,"msg":"busy"}'); console.log(${JSON.stringify(rejection)})`);
      await expect(waitUntilServed(rejecting, never)).rejects.toThrow(
        'The shell server rejects the release:\n  mf-press: it has 2001 files; at most 2000 are taken',
      );
    },
    atOnce,
  );

  test(
    'fails at once when a signal ends it',
    async () => {
      const killed = server(`process.kill(process.pid, 'SIGKILL')`);
      await expect(waitUntilServed(killed, never)).rejects.toThrow(
        'The shell server was ended by SIGKILL before it served the release.',
      );
    },
    atOnce,
  );

  test(
    'fails with its complete output when it exits',
    async () => {
      const ended = server(`console.error('PORT: must be a port number'); process.exitCode = 1; process.exit()`);
      await expect(waitUntilServed(ended, never)).rejects.toThrow(
        'PORT: must be a port number\n\nThe shell server ended with code 1 before it served the release.',
      );
    },
    atOnce,
  );
});
