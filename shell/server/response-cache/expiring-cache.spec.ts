import { expect, test } from '@jest/globals';
import { ExpiringCache } from './expiring-cache.ts';

const answerOf = (length: number) => ({ body: Buffer.alloc(length) });

test('an answer is there for a second', () => {
  const answers = new ExpiringCache(1_000_000);
  const answer = answerOf(9);
  answers.keep('/', answer, 5_000);
  expect(answers.find('/', 5_999)).toBe(answer);
  expect(answers.find('/', 6_000)).toBeUndefined();
  answers.keep('/', answer, 6_000);
  expect(answers.find('/', 6_999)).toBe(answer);
});

test('where all need too much memory, the oldest are gone', () => {
  const answers = new ExpiringCache(1_000_000);
  for (const key of ['/1', '/2', '/1', '/3']) answers.keep(key, answerOf(400_000), 0);
  expect(['/1', '/2', '/3'].filter((key) => answers.find(key, 0))).toEqual(['/1', '/3']);
  answers.keep('/4', answerOf(1_000_000), 0);
  expect(['/1', '/3', '/4'].filter((key) => answers.find(key, 0))).toEqual([]);
  answers.keep('/5', answerOf(400_000), 0);
  expect(answers.find('/5', 0)).toBeDefined();
});

test('what is forgotten takes no memory any more', () => {
  const answers = new ExpiringCache(1_000_000);
  for (let round = 0; round < 9; round++) {
    answers.keep('/1', answerOf(400_000), 0);
    answers.forget('/1');
    answers.forget('/1');
  }
  answers.keep('/2', answerOf(900_000), 0);
  answers.keep('/3', answerOf(9), 0);
  expect(answers.find('/2', 0)).toBeDefined();
});
