import { rmSync } from 'node:fs';
import path from 'node:path';
import { createTemporaryRepository, type TemporaryRepository } from '@daybook/testing/temporary-repository';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { contains, dateOf, GitError, revision, sourceCommit } from './git.ts';

let repository: TemporaryRepository;
let head: string;
beforeEach(() => {
  repository = createTemporaryRepository();
  head = repository.commit({ 'mf-legal/terms.md': '1', 'packages/ui/button.tsx': '1', 'mf-help/a.ts': '1' });
});
afterEach(() => repository.remove());

const folders = ['mf-legal', 'packages'];

test('a release names HEAD and its author, unless its files are changed or new', () => {
  repository.write({ 'mf-help/a.ts': '2' });
  expect(sourceCommit(repository.folder, folders)).toEqual({ commit: head, author: 'Ann Author' });
  repository.write({ 'mf-legal/src/new.ts': '', 'packages/new.ts': '' });
  const why = 'mf-legal/src/new.ts and 1 more are not committed';
  expect(sourceCommit(repository.folder, folders)).toEqual({ why });
});

test('a branch contains its own commits only', () => {
  const second = repository.commit({ 'mf-legal/terms.md': '2' });
  expect([head, second].map((each) => contains(repository.folder, each))).toEqual([true, true]);
  repository.git('switch', '--quiet', '--create', 'old', head);
  expect(contains(repository.folder, second)).toBe(false);
  expect(dateOf(repository.folder, second)).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test('what git does not know is an error', () => {
  expect(() => contains(repository.folder, 'a'.repeat(40))).toThrow(GitError);
  rmSync(path.join(repository.folder, '.git'), { recursive: true });
  expect(sourceCommit(repository.folder, folders)).toEqual({ why: 'there is no git repository' });
});

test('the revision says whether a committed file has changed', () => {
  repository.write({ 'new.txt': '' });
  expect(revision(repository.folder)).toBe(head);
  repository.write({ 'mf-help/a.ts': '2' });
  expect(revision(repository.folder)).toBe(`${head}-dirty`);
});
