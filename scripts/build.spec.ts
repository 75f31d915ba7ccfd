import { buildParts, copyRepository } from '@daybook/testing/repository-copy';
import { expect, test } from '@jest/globals';
import { sourceHash } from './build.ts';

test('the hash of sources changes with the files that a build needs only', () => {
  const copy = copyRepository([...buildParts, 'mf-legal']);
  const changesWith = (file: string) => {
    const before = sourceHash('mf-legal', copy.folder);
    copy.write(file, '\n');
    return sourceHash('mf-legal', copy.folder) !== before;
  };
  const needed = ['mf-legal/src/added.css', 'packages/ui/src/added.ts', 'packages/build/src/added.ts'];
  expect([...needed, 'package-lock.json'].filter(changesWith)).toEqual([...needed, 'package-lock.json']);
  expect(['mf-legal/src/added.spec.tsx', 'packages/testing/src/added.ts'].filter(changesWith)).toEqual([]);
  copy.remove();
});
