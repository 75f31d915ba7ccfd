import { expect, test } from '@jest/globals';
import { countDown, duration } from './progress.ts';

test('the time that is left is that of the steps so far', () => {
  let now = 0;
  const left = countDown(4, () => now);
  now = 10_000;
  expect(left()).toBe('30 s left');
  now = 40_000;
  expect(left()).toBe('40 s left');
  expect(left()).toBe('13 s left');
  expect(left()).toBe('0 s left');
});

test('long times are minutes', () => {
  expect(duration(89)).toBe('89 s');
  expect(duration(600)).toBe('10 min');
});
