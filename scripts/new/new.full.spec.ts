import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { releaseFileName, releaseSchema } from '@daybook/contract/release';
import { overweightPages } from '@daybook/testing/budgets';
import { buildParts, copyRepository, type RepositoryCopy } from '@daybook/testing/repository-copy';
import { remotes } from '@daybook/testing/workspaces';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

/** Jest requires the folders of all its projects. */
const parts = [
  ...[...buildParts, ...remotes, '.github', 'biome.json', 'deploy', 'docker-compose.yml', 'jest.config.mjs', 'scripts'],
  ...['backend/jest.config.mjs', 'backend/src', 'backend/test', 'shell/package.json', 'shell/server', 'shell/src'],
];

let copy: RepositoryCopy;

const read = (file: string) => readFileSync(path.join(copy.folder, file), 'utf8');

/** Runs a program of the copy; rejects with its output if it fails. */
async function run(parameters: readonly string[]): Promise<string> {
  const { npm_package_name: _, ...inherited } = process.env;
  const env = { ...inherited, PATH: `${copy.folder}/bin:${process.env.PATH}` };
  const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd: copy.folder, env });
  return stdout;
}

const command = (...words: readonly string[]) => run(['scripts/main.ts', ...words]);

beforeAll(async () => {
  copy = copyRepository(parts);
  // Installed packages are links to those of the repository.
  mkdirSync(path.join(copy.folder, 'bin'));
  const npm = `#!/bin/sh\nPATH="${process.env.PATH}" exec npm "$@" --package-lock-only\n`;
  writeFileSync(path.join(copy.folder, 'bin/npm'), npm, { mode: 0o755 });
  copy.edit('.github/CODEOWNERS', (text) => text.replace('@daybook/legal', '@daybook/counsel'));
  await command('new-remote', 'help');
  await command('new-page', 'mf-legal', '/page-of-a-test');
  await command('new-page', 'mf-offers', '/offer-landing/offer-of-a-test');
});
afterAll(() => copy.remove());

test('a new remote is in all lists of remotes, and owners that were set stay', async () => {
  expect(JSON.parse(read('package-lock.json')).packages).toMatchObject({ 'node_modules/mf-help': { link: true } });
  expect(read('.github/CODEOWNERS')).toContain('/mf-help/ @daybook/help\n/mf-legal/ @daybook/counsel\n');
  expect(read('docker-compose.yml')).toContain('/mf-help:${MF_HELP_VERSION:-');
  const stale = `import { remotes } from '@daybook/testing/workspaces';
    import { staleLists } from './scripts/new/remote-lists.ts';
    console.log(remotes.join(), [...staleLists(remotes).keys()].join());`;
  expect(await run(['--input-type=module', '--eval', stale])).toBe(
    'mf-help,mf-legal,mf-offers,mf-privacy,mf-signup \n',
  );
});

test('lint, format and types of new pages are right', async () => {
  for (const remote of ['mf-help', 'mf-legal', 'mf-offers']) {
    await run(['node_modules/@biomejs/biome/bin/biome', 'ci', remote]);
    await run(['node_modules/typescript/bin/tsc', '--noEmit', '-p', remote]);
  }
});

test('the tests of new pages pass', async () => {
  expect(await command('test', 'mf-help')).toContain('\n1 passed, 0 failed');
  expect(await command('test', 'mf-legal', 'page-of-a-test')).toContain('\n1 passed, 0 failed');
  expect(await command('test', 'mf-offers', 'offer-of-a-test')).toContain('\n1 passed, 0 failed');
});

test.each([
  ['mf-help', '/help'],
  ['mf-legal', '/page-of-a-test'],
  ['mf-offers', '/offer-landing/offer-of-a-test'],
])('a build of %s has the new page %s', async (remote, page) => {
  await copy.build(remote);
  const release = releaseSchema.parse(JSON.parse(read(`${remote}/build/${releaseFileName}`)));
  expect(release.routes).toContainEqual(expect.objectContaining({ path: page, fragment: expect.any(String) }));
  expect(overweightPages(release)).toEqual([]);
});

test.each([
  [['new-page', 'mf-legal', '/unsubscribe'], 'is a page of mf-privacy already'],
  [['new-page', 'mf-legal', '/Cookies'], 'must begin with /'],
  [['new-remote', 'legal'], 'mf-legal exists already'],
])('%p is refused', async (words, reason) => {
  await expect(command(...words)).rejects.toThrow(reason);
});
