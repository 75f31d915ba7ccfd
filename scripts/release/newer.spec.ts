import { rmSync } from 'node:fs';
import path from 'node:path';
import { createTemporaryRepository, type TemporaryRepository } from '@daybook/testing/temporary-repository';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { checkContains } from './newer.ts';

let repository: TemporaryRepository;
beforeEach(() => {
  repository = createTemporaryRepository();
});
afterEach(() => repository.remove());

const commit = (text: string) => repository.commit({ 'terms.md': text });

const check = (of: string | undefined, folder = repository.folder) =>
  checkContains(
    { name: 'mf-legal', version: '1.0.1-77aa01c2', ...(of && { commit: of, author: 'Ann Author' }) },
    folder,
  );

test('a branch that contains the commit of the active release may be released, and no other one', () => {
  const { git } = repository;
  const first = commit('first');
  const second = commit('second');
  expect([check(first), check(second)]).toEqual([undefined, undefined]);
  git('switch', '--quiet', '--create', 'old', first);
  commit('mine');
  expect(() => check(second)).toThrow(
    new RegExp(
      `^Visitors have mf-legal@1\\.0\\.1-77aa01c2 of commit ${second.slice(0, 10)} by Ann Author, of \\d{4}-\\d\\d-\\d\\d, which is not in this branch: a release of yours would undo it\\.\\nMerge ${second.slice(0, 10)}; or replace it: npm run release mf-legal -- --replace-newer "why"$`,
    ),
  );
  git('merge', '--quiet', '--strategy', 'ours', '--message', 'merge', second);
  expect(check(second)).toBeUndefined();
});

test('a commit that the clone does not have is named, and what can be compared with nothing is said', () => {
  commit('first');
  expect(check(undefined)).toBe('1.0.1-77aa01c2, which visitors have, names no commit to compare with');
  expect(() => check('a'.repeat(40))).toThrow(
    /of commit aaaaaaaaaa by Ann Author, which this clone does not have: a release of yours would undo it\.\ngit fetch, then merge aaaaaaaaaa;/,
  );
  rmSync(path.join(repository.folder, '.git'), { recursive: true });
  expect(check('a'.repeat(40))).toBe('no git repository: not compared with 1.0.1-77aa01c2');
});

test('in a shallow clone, only what it has can be compared', () => {
  const { folder, git, place } = repository;
  const [first, last] = [commit('first'), commit('last')];
  const shallow = path.join(place, 'shallow');
  git('clone', '--quiet', '--depth', '1', `file://${folder}`, shallow);
  expect(check(last, shallow)).toBeUndefined();
  expect(() => check(first, shallow)).toThrow(
    /\nThis clone is shallow: git fetch --unshallow, then release again; or /,
  );
});
