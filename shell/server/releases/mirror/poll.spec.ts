import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { delayAfter, poll } from './release-mirror.ts';

const options = { interval: 1_000, longestInterval: 10_000, random: () => 0.5 };

describe('the time until the next question', () => {
  test.each([
    [0, 1_000],
    [1, 2_000],
    [2, 4_000],
    [3, 8_000],
    [4, 10_000],
    [2_000, 10_000],
  ])('after %p failures is %p ms', (failures, delay) => {
    expect(delayAfter(failures, options)).toBe(delay);
  });

  test.each([
    [0, 850],
    [1, 1_150],
  ])('is jittered, with the random number %p to %p ms', (number, delay) => {
    expect(delayAfter(0, { ...options, random: () => number })).toBe(delay);
  });

  test('is within the jitter by itself', () => {
    const delays = Array.from({ length: 100 }, () => delayAfter(0, { interval: 1_000, longestInterval: 10_000 }));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(850);
    expect(Math.max(...delays)).toBeLessThanOrEqual(1_150);
    expect(new Set(delays).size).toBeGreaterThan(1);
  });
});

describe('asking again and again', () => {
  let stopped: AbortController;
  let askedAt: number[];
  let wellUntil: number;
  let wellAgainAt: number;

  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
    stopped = new AbortController();
    askedAt = [];
    [wellUntil, wellAgainAt] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  });
  afterEach(() => {
    stopped.abort();
    jest.useRealTimers();
  });

  const start = () =>
    poll(
      async () => {
        askedAt.push(Date.now());
        return Date.now() < wellUntil || Date.now() >= wellAgainAt;
      },
      options,
      stopped.signal,
    );

  test('goes on at the interval while all is well', async () => {
    start();
    await jest.advanceTimersByTimeAsync(3_500);
    expect(askedAt).toEqual([1_000, 2_000, 3_000]);
  });

  test('is backed off by failures, to no more than the longest interval, and comes back at the first success', async () => {
    [wellUntil, wellAgainAt] = [0, 30_000];
    start();
    await jest.advanceTimersByTimeAsync(37_500);
    expect(askedAt).toEqual([1_000, 3_000, 7_000, 15_000, 25_000, 35_000, 36_000, 37_000]);
  });

  test('waits for an answer before it asks again', async () => {
    let answer: (well: boolean) => void = () => undefined;
    let asked = 0;
    const ask = () => {
      asked += 1;
      return new Promise<boolean>((resolve) => {
        answer = resolve;
      });
    };
    poll(ask, options, stopped.signal);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(asked).toBe(1);
    answer(true);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(asked).toBe(2);
  });

  test('ends with its signal, between two questions and while one is open', async () => {
    start();
    await jest.advanceTimersByTimeAsync(1_500);
    stopped.abort();
    expect(jest.getTimerCount()).toBe(0);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(askedAt).toEqual([1_000]);

    const other = new AbortController();
    const ask = async () => {
      other.abort();
      return true;
    };
    poll(ask, options, other.signal);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('never begins where the signal is aborted already', () => {
    stopped.abort();
    start();
    expect(jest.getTimerCount()).toBe(0);
  });
});
