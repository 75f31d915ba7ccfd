import { buildParts, copyRepository, type RepositoryCopy } from '@daybook/testing/repository-copy';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sourceHash } from './build.ts';

let copy: RepositoryCopy;
const hash = () => sourceHash('mf-legal', copy.folder);

beforeAll(() => {
  copy = copyRepository([...buildParts, 'mf-legal']);
});
afterAll(() => copy.remove());

// Of packages, mf-legal needs build only to be built, and testing not at all.
test.each([
  ['changes', 'mf-legal/src/added.css'],
  ['changes', 'packages/ui/src/added.ts'],
  ['changes', 'packages/build/src/added.ts'],
  ['changes', 'package-lock.json'],
  ['stays the same', 'mf-legal/src/added.spec.tsx'],
  ['stays the same', 'packages/testing/src/added.ts'],
])('the hash of sources %s after a change of %s', (expected, file) => {
  const before = hash();
  copy.write(file, '\n');
  expect(hash() === before).toBe(expected === 'stays the same');
});
