import { expect, test } from '@jest/globals';
import { interleave } from './rounds.ts';

test('contestants are measured in turn, one at a time, and each round begins with the next one', async () => {
  const order: string[] = [];
  const done: number[] = [];
  let running = 0;
  const rounds = await interleave(
    ['a', 'b', 'c'].map((name) => ({ name })),
    4,
    async ({ name }) => {
      expect(++running).toBe(1);
      order.push(name);
      await Promise.resolve();
      running--;
      return { place: order.length };
    },
    (count) => done.push(count),
  );
  expect(order.join('')).toBe('abc bca cab abc'.replaceAll(' ', ''));
  expect(rounds[1]).toEqual({ b: { place: 4 }, c: { place: 5 }, a: { place: 6 } });
  expect(done).toEqual([1, 2, 3, 4]);
});
