import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sharedChanges } from './shared-changes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-shared-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const candidateWith = (...files: readonly string[]) => {
  writeFileSync(path.join(folder, 'sources.json'), JSON.stringify({ files, packages: [] }));
  return folder;
};
const commit = 'a'.repeat(40);

describe('changes of shared packages', () => {
  test('are reported with the other remotes that contain the file', () => {
    const button = 'packages/ui/src/button.tsx';
    const candidate = candidateWith(button, 'packages/ui/src/prose.tsx');
    const buildOf = (remote: string) => (remote === 'mf-privacy' ? `${folder}/none` : folder);
    expect(sharedChanges('mf-legal', candidate, commit, () => [button, 'packages/ui/src/dialog.tsx'], buildOf)).toEqual(
      [`${button} changed: also affects mf-offers, mf-signup`],
    );
  });

  test('are not reported for files of the remote', () => {
    expect(
      sharedChanges('mf-legal', candidateWith('mf-legal/src/remote.ts'), commit, () => ['mf-legal/src/remote.ts']),
    ).toEqual([]);
  });

  test('are unknown if the published release states no commit, or one that git does not know', () => {
    const candidate = candidateWith('packages/ui/src/prose.tsx');
    expect(sharedChanges('mf-legal', candidate, undefined, () => ['packages/ui/src/prose.tsx'])).toEqual([]);
    const changedSince = () => {
      throw new Error('unknown');
    };
    expect(sharedChanges('mf-legal', candidate, commit, changedSince)).toEqual([]);
  });
});
