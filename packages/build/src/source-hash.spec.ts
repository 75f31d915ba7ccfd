import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTemporaryWorkspace, type TemporaryWorkspace } from '../test/temporary-workspace.ts';
import { sourceHash } from './source-hash.ts';

let workspace: TemporaryWorkspace;
let hash: string;
const hashNow = () => sourceHash(workspace.root, path.join(workspace.root, 'mf-news'));

/** The remote depends on two packages; these depend on each other. */
beforeEach(() => {
  workspace = createTemporaryWorkspace();
  workspace.write({
    'mf-news/package.json': { name: 'mf-news', devDependencies: { '@daybook/look': '1.0.0', react: '19.3.1' } },
    'mf-news/src/remote.ts': 'export default 1;',
    'packages/look/package.json': { name: '@daybook/look', dependencies: { '@daybook/base': '1.0.0' } },
    'packages/base/package.json': { name: '@daybook/base', dependencies: { '@daybook/look': '1.0.0' } },
    'packages/other/package.json': { name: '@daybook/other' },
  });
  hash = hashNow();
});
afterEach(() => workspace.remove());

describe('the source hash of a workspace', () => {
  test.each([
    ['changes', 'mf-news/src/remote.ts', false],
    ['changes', 'mf-news/rspack.config.ts', false],
    ['changes', 'packages/look/src/added.css', false],
    ['changes', 'packages/base/src/index.ts', false],
    ['changes', 'package-lock.json', false],
    ['changes', 'tsconfig.base.json', false],
    ['stays the same', 'mf-news/src/pages/page.spec.tsx', true],
    ['stays the same', 'mf-news/build/remote.js', true],
    ['stays the same', 'packages/other/src/index.ts', true],
  ])('%s after a change of %s', (_what, name, isSame) => {
    workspace.write({ [name]: 'changed' });
    expect(hashNow() === hash).toBe(isSame);
  });

  test('changes after a file was renamed', () => {
    rmSync(path.join(workspace.root, 'mf-news/src/remote.ts'));
    workspace.write({ 'mf-news/src/renamed.ts': 'export default 1;' });
    expect(hashNow()).not.toBe(hash);
  });
});
