import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { OnceWithin } from './once-within.ts';

let now = 0;
let once: OnceWithin;
beforeEach(() => {
  now = 1_000_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  once = new OnceWithin(60_000, 3);
});
afterEach(() => {
  jest.restoreAllMocks();
});

test('admits each key once within the period', () => {
  expect([once.admits('a'), once.admits('a'), once.admits('b')]).toEqual([true, false, true]);
  now += 59_999;
  expect(once.admits('a')).toBe(false);
  now += 1;
  expect(once.admits('a')).toBe(true);
});

test('forgets the oldest key beyond the limit of keys, and rejects no new one', () => {
  for (const key of ['a', 'b', 'c', 'd']) expect(once.admits(key)).toBe(true);
  expect(['b', 'c', 'd'].map((key) => once.admits(key))).toEqual([false, false, false]);
  expect(once.admits('a')).toBe(true);
});
