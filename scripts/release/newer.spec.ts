import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { checkContains } from './newer.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-newer-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const git = (...parameters: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=Ann Author', '-c', 'user.email=ann@example.com', ...parameters], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();

function commit(text: string): string {
  writeFileSync(path.join(folder, 'terms.md'), text);
  git('add', '.');
  git('commit', '--quiet', '--message', text);
  return git('rev-parse', 'HEAD');
}

const published = (of: string | undefined) => ({
  name: 'mf-legal',
  version: '1.0.1-77aa01c2',
  ...(of && { commit: of, author: 'Ann Author' }),
});

test('a branch that contains the commit of the active release may be released, and no other one', () => {
  git('init', '--quiet', '--initial-branch', 'main');
  const first = commit('first');
  const second = commit('second');
  expect(checkContains(published(first), folder)).toBeUndefined();
  expect(checkContains(published(second), folder)).toBeUndefined();
  git('switch', '--quiet', '--create', 'old', first);
  commit('mine');
  expect(() => checkContains(published(second), folder)).toThrow(
    new RegExp(
      `^Visitors have mf-legal@1\\.0\\.1-77aa01c2 of commit ${second.slice(0, 10)} by Ann Author, of \\d{4}-\\d\\d-\\d\\d, which is not in this branch: a release of yours would undo it\\.\\nMerge ${second.slice(0, 10)}; or replace it: npm run release mf-legal -- --replace-newer "why"$`,
    ),
  );
  git('merge', '--quiet', '--strategy', 'ours', '--message', 'merge', second);
  expect(checkContains(published(second), folder)).toBeUndefined();
});

test('a commit that the clone does not have is named, and what can be compared with nothing is said', () => {
  expect(checkContains(published('a'.repeat(40)), folder)).toBe('no git repository to compare with');
  git('init', '--quiet', '--initial-branch', 'main');
  commit('first');
  expect(checkContains(published(undefined), folder)).toBe(
    '1.0.1-77aa01c2, which visitors have, names no commit to compare with',
  );
  expect(() => checkContains(published('a'.repeat(40)), folder)).toThrow(
    /of commit aaaaaaaaaa by Ann Author, which this clone does not have: a release of yours would undo it\.\ngit fetch, then merge aaaaaaaaaa;/,
  );
});
