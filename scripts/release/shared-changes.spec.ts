import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTemporaryRepository, type TemporaryRepository } from '@daybook/testing/temporary-repository';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sharedChanges } from './shared-changes.ts';

const [button, prose, own] = ['packages/ui/src/button.tsx', 'packages/ui/src/prose.tsx', 'mf-legal/src/remote.ts'];

let repository: TemporaryRepository;
let commit: string;
beforeEach(() => {
  repository = createTemporaryRepository();
  commit = repository.commit({ [button]: '1', [prose]: '1', [own]: '1', 'packages/ui/src/dialog.tsx': '1' });
});
afterEach(() => repository.remove());

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  [
    'names the other remotes that contain a changed file',
    { [button]: '2' },
    [`${button} changed: also affects mf-offers`],
  ],
  ['is empty without a change', {}, []],
  ['ignores files of the remote', { [own]: '2' }, []],
  ['ignores files that the build does not contain', { 'packages/ui/src/dialog.tsx': '2' }, []],
])('the report of changes in shared packages %s', (_what, changed, expected) => {
  const { folder, place, write } = repository;
  writeFileSync(path.join(place, 'sources.json'), JSON.stringify({ files: [button, prose, own], packages: [] }));
  write(changed);
  const buildOf = (remote: string) => (remote === 'mf-offers' ? place : `${place}/none`);
  const changes = (since?: string) => sharedChanges('mf-legal', place, since, folder, buildOf);
  expect(changes(commit)).toEqual(expected);
  expect([changes('a'.repeat(40)), changes(undefined)]).toEqual([[], []]);
});
