import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTemporaryWorkspace, type TemporaryWorkspace } from '../test/temporary-workspace.ts';
import { sourceFolders, sourceHash } from './source-hash.ts';

let workspace: TemporaryWorkspace;
let hash: string;

const files = {
  'mf-news/package.json': {
    name: 'mf-news',
    version: '1.0.0',
    dependencies: { '@daybook/look': '1.0.0', react: '19.3.1' },
    devDependencies: { '@daybook/tools': '1.0.0' },
  },
  'mf-news/src/remote.ts': 'export default 1;',
  'packages/look/package.json': { name: '@daybook/look', version: '1.0.0', dependencies: { '@daybook/base': '1.0.0' } },
  'packages/look/src/index.ts': 'export const look = 1;',
  'packages/base/package.json': { name: '@daybook/base', version: '1.0.0', dependencies: { '@daybook/look': '1.0.0' } },
  'packages/base/src/index.ts': 'export const base = 1;',
  'packages/tools/package.json': { name: '@daybook/tools', version: '1.0.0' },
  'packages/tools/src/index.ts': 'export const tools = 1;',
  'packages/other/package.json': { name: '@daybook/other', version: '1.0.0' },
  'packages/other/src/index.ts': 'export const other = 1;',
};

const hashNow = ({ root } = workspace) => sourceHash(root, path.join(root, 'mf-news'));

beforeEach(() => {
  workspace = createTemporaryWorkspace();
  workspace.write(files);
  hash = hashNow();
});
afterEach(() => workspace.remove());

test('a workspace is built from its own folder and the packages it depends on, directly or transitively', () => {
  const { root } = workspace;
  const folders = [...sourceFolders(root, path.join(root, 'mf-news'))].map((folder) => path.relative(root, folder));
  expect(folders.sort()).toEqual(['mf-news', 'packages/base', 'packages/look', 'packages/tools']);
});

describe('the source hash of a workspace', () => {
  test.each([
    'mf-news/src/remote.ts',
    'packages/look/src/index.ts',
    'packages/base/src/index.ts',
    'packages/tools/src/index.ts',
    'package-lock.json',
  ])('changes after a change of %s', (name) => {
    workspace.write({ [name]: 'changed' });
    expect(hashNow()).not.toBe(hash);
  });

  test('changes after the content of one file moved into another', () => {
    workspace.write({ 'mf-news/src/a.ts': '', 'mf-news/src/b.ts': '' });
    const before = hashNow();
    rmSync(path.join(workspace.root, 'mf-news/src/b.ts'));
    workspace.write({ 'mf-news/src/a.ts': 'mf-news/src/b.ts' });
    expect(hashNow()).not.toBe(before);
  });

  test.each([
    'mf-news/src/remote.spec.ts',
    'mf-news/test/support.ts',
    'mf-news/build/remote.js',
    'mf-news/node_modules/left-pad/index.js',
    'packages/other/src/index.ts',
    'README.md',
  ])('stays the same after a change of %s', (name) => {
    workspace.write({ [name]: 'changed' });
    expect(hashNow()).toBe(hash);
  });

  test('does not depend on the path of the clone', () => {
    const clone = createTemporaryWorkspace();
    clone.write(files);
    const there = hashNow(clone);
    clone.remove();
    expect(there).toBe(hash);
  });
});
