import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sharedChanges } from './shared-changes.ts';

const button = 'packages/ui/src/button.tsx';
const unknownCommit = () => {
  throw new Error('unknown');
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-shared-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each<[string, () => readonly string[], readonly string[]]>([
  [
    'names the other remotes that contain a changed file',
    () => [button],
    [`${button} changed: also affects mf-offers`],
  ],
  ['ignores files of the remote', () => ['mf-legal/src/remote.ts'], []],
  ['ignores files that the candidate does not contain', () => ['packages/ui/src/dialog.tsx'], []],
  ['reports nothing for a commit that git does not know', unknownCommit, []],
])('the report of changes in shared packages %s', (_what, changedSince, expected) => {
  const files = [button, 'packages/ui/src/prose.tsx', 'mf-legal/src/remote.ts'];
  writeFileSync(path.join(folder, 'sources.json'), JSON.stringify({ files, packages: [] }));
  const buildOf = (remote: string) => (remote === 'mf-offers' ? folder : `${folder}/none`);
  expect(sharedChanges('mf-legal', folder, 'a'.repeat(40), changedSince, buildOf)).toEqual(expected);
});
