import { beforeEach, expect, test } from '@jest/globals';
import { OnceAMinute } from './once-a-minute.ts';

let now = 0;
let once: OnceAMinute;
beforeEach(() => {
  now = 1_000_000;
  once = new OnceAMinute(() => now);
});

test('a key is let through once a minute, another one too', () => {
  expect([once.isFirst('a'), once.isFirst('a'), once.isFirst('b')]).toEqual([true, false, true]);
});

test('a key is let through again in the next minute', () => {
  once.isFirst('a');
  now += 59_999;
  expect(once.isFirst('a')).toBe(false);
  now += 1;
  expect(once.isFirst('a')).toBe(true);
});

test('after thousands of keys no other is remembered until the next minute', () => {
  for (let key = 0; key < 3_000; key += 1) expect(once.isFirst(`key ${key}`)).toBe(true);
  expect([once.isFirst('one more'), once.isFirst('key 7')]).toEqual(['full', false]);
  now += 60_000;
  expect(once.isFirst('one more')).toBe(true);
});
