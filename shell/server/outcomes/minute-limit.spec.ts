import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { MinuteLimit } from './minute-limit.ts';

let now = 0;
let limit: MinuteLimit;
beforeEach(() => {
  now = 1_000_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  limit = new MinuteLimit();
});
afterEach(() => {
  jest.restoreAllMocks();
});

test('admits each key once', () => {
  expect([limit.admits('a'), limit.admits('a'), limit.admits('b')]).toEqual([true, false, true]);
});

test('admits a key again in the next minute', () => {
  limit.admits('a');
  now += 59_999;
  expect(limit.admits('a')).toBe(false);
  now += 1;
  expect(limit.admits('a')).toBe(true);
});

test('admits no new keys above the limit of keys until the next minute', () => {
  for (let key = 0; key < 3_000; key += 1) limit.admits(`key ${key}`);
  expect([limit.admits('one more'), limit.admits('key 7')]).toEqual(['full', false]);
  now += 60_000;
  expect(limit.admits('one more')).toBe(true);
});
