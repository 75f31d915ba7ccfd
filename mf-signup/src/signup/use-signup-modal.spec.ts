import { expect, test } from '@jest/globals';
import { isLoadFailure } from './use-signup-modal.tsx';

test('an exception in the form is no load failure', () => {
  expect(isLoadFailure(Object.assign(new Error('Loading chunk 7 failed.'), { name: 'ChunkLoadError' }))).toBe(true);
  for (const thrown of [new TypeError('x is not a function'), undefined]) expect(isLoadFailure(thrown)).toBe(false);
});
