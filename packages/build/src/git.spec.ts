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

test.each([
  ['changed', { 'mf-legal/terms.md': '2' }, 'mf-legal/terms.md is not committed'],
  ['new', { 'mf-legal/src/new.ts': '', 'packages/new.ts': '' }, 'mf-legal/src/new.ts and 1 more are not committed'],
])('a release names no commit with a %s file', (_what, files, why) => {
  commit();
  repository.write(files);
  expect(sourceCommit(repository.folder, folders)).toEqual({ why });
});

test('without a repository, nothing is known', () => {
  commit();
  rmSync(path.join(repository.folder, '.git'), { recursive: true });
  expect(sourceCommit(repository.folder, folders)).toEqual({ why: 'there is no git repository' });
  expect(() => revision(repository.folder)).toThrow(GitError);
});

test('a branch contains its own commits only', () => {
  const first = commit();
  const second = repository.commit({ 'mf-legal/terms.md': '2' });
  expect([first, second].map((each) => contains(repository.folder, each))).toEqual([true, true]);
  repository.git('switch', '--quiet', '--create', 'old', first);
  expect(contains(repository.folder, second)).toBe(false);
  expect(dateOf(repository.folder, second)).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test('a commit that the clone lacks is not compared', () => {
  commit();
  expect(() => contains(repository.folder, 'a'.repeat(40))).toThrow(GitError);
});

test('the revision says whether a committed file has changed', () => {
  const head = commit();
  repository.write({ 'new.txt': '' });
  expect(revision(repository.folder)).toBe(head);
  repository.write({ 'mf-help/a.ts': '2' });
  expect(revision(repository.folder)).toBe(`${head}-dirty`);
});
