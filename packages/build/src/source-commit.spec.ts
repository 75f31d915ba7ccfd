import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTemporaryWorkspace, type TemporaryWorkspace } from '../test/temporary-workspace.ts';
import { sourceCommit } from './source-commit.ts';

let workspace: TemporaryWorkspace;
const commitNow = () => sourceCommit(workspace.root, ['mf-news/package.json', 'mf-news/src/remote.ts']);
const git = (...parameters: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@daybook.example', ...parameters], {
    cwd: workspace.root,
    encoding: 'utf8',
  }).trim();

beforeEach(() => {
  workspace = createTemporaryWorkspace();
  workspace.write({ 'mf-news/package.json': { name: 'mf-news', version: '1.0.0' }, 'mf-news/src/remote.ts': '1' });
});
afterEach(() => workspace.remove());

function commitAll(): string {
  git('add', '--all');
  git('commit', '--quiet', '--message', 'test');
  return git('rev-parse', 'HEAD');
}

test('is the last commit that changed the sources, whichever is checked out', () => {
  git('init', '--quiet');
  const commit = commitAll();
  expect(commitNow()).toEqual({ commit, author: 'Ann' });
  workspace.write({ 'mf-other/package.json': { name: 'mf-other', version: '1.0.0' } });
  commitAll();
  expect(commitNow()).toEqual({ commit, author: 'Ann' });
});

test('is absent with uncommitted changes, and without a repository', () => {
  expect(commitNow()).toEqual({});
  git('init', '--quiet');
  commitAll();
  workspace.write({ 'mf-news/src/remote.ts': '2' });
  expect(commitNow()).toEqual({});
});
