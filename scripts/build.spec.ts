import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildParts, copyRepository, type RepositoryCopy } from '@daybook/testing/repository-copy';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectWritable, sourceHash } from './build.ts';

let copy: RepositoryCopy;
let hash: string;
const hashNow = () => sourceHash('mf-legal', copy.folder);

beforeAll(() => {
  copy = copyRepository([...buildParts, 'mf-legal']);
  hash = hashNow();
});
afterAll(() => copy.remove());

// Of packages, mf-legal needs build only to be built, and testing not at all.
test.each([
  ['changes', 'mf-legal/rspack.config.ts'],
  ['changes', 'mf-legal/content/terms.md'],
  ['changes', 'mf-legal/src/added.css'],
  ['changes', 'packages/ui/src/added.ts'],
  ['changes', 'packages/build/src/added.ts'],
  ['changes', 'package-lock.json'],
  ['changes', 'tsconfig.base.json'],
  ['stays the same', 'mf-legal/src/added.spec.tsx'],
  ['stays the same', 'mf-legal/build/added.js'],
  ['stays the same', 'packages/contract/node_modules/added/index.js'],
  ['stays the same', 'packages/build/test/added.ts'],
  ['stays the same', 'packages/testing/src/added.ts'],
])('the hash of sources %s after a change of %s', (expected, name) => {
  const file = path.join(copy.folder, name);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${before ?? ''}\n`);
  const now = hashNow();
  if (before === undefined) rmSync(file);
  else writeFileSync(file, before);
  expect(now === hash).toBe(expected === 'stays the same');
});

test('what cannot be written is named before anything is built', () => {
  expect(() => expectWritable(copy.folder)).not.toThrow();
  const place = path.join(copy.folder, '.data');
  // Root may write anywhere else.
  symlinkSync('/nowhere', place);
  expect(() => expectWritable(copy.folder)).toThrow(`${place} cannot be written. If sudo or another user made it,`);
});
