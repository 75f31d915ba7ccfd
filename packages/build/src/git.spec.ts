import { rmSync } from 'node:fs';
import path from 'node:path';
import { createTemporaryRepository, type TemporaryRepository } from '@daybook/testing/temporary-repository';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { contains, dateOf, GitError, revision, sourceCommit } from './git.ts';

let repository: TemporaryRepository;
beforeEach(() => {
  repository = createTemporaryRepository();
});
afterEach(() => repository.remove());

const folders = ['mf-legal', 'packages'];
const commit = () =>
  repository.commit({ 'mf-legal/terms.md': '1', 'packages/ui/button.tsx': '1', 'mf-help/a.ts': '1' });

test('a release names HEAD and its author', () => {
  const head = commit();
  repository.write({ 'mf-help/a.ts': '2' });
  expect(sourceCommit(repository.folder, folders)).toEqual({ commit: head, author: 'Ann Author' });
});

test('a release names no commit with changed or new files', () => {
  const files = { 'mf-legal/src/new.ts': '', 'packages/new.ts': '' };
  const why = 'mf-legal/src/new.ts and 1 more are not committed';
  commit();
  repository.write(files);
  expect(sourceCommit(repository.folder, folders)).toEqual({ why });
});

test('a branch contains its own commits only', () => {
  const first = commit();
  const second = repository.commit({ 'mf-legal/terms.md': '2' });
  expect([first, second].map((each) => contains(repository.folder, each))).toEqual([true, true]);
  repository.git('switch', '--quiet', '--create', 'old', first);
  expect(contains(repository.folder, second)).toBe(false);
  expect(dateOf(repository.folder, second)).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test('what git does not know is an error', () => {
  commit();
  expect(() => contains(repository.folder, 'a'.repeat(40))).toThrow(GitError);
  rmSync(path.join(repository.folder, '.git'), { recursive: true });
  expect(sourceCommit(repository.folder, folders)).toEqual({ why: 'there is no git repository' });
});

test('the revision says whether a committed file has changed', () => {
  const head = commit();
  repository.write({ 'new.txt': '' });
  expect(revision(repository.folder)).toBe(head);
  repository.write({ 'mf-help/a.ts': '2' });
  expect(revision(repository.folder)).toBe(`${head}-dirty`);
});
