import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { backoff, maxAttempts, readRetryAfter } from './receiver.ts';

const hour = 3_600_000;

test('an event that is never accepted is attempted 18 times in a little more than three days, with exponential backoff', () => {
  const delays = Array.from({ length: maxAttempts - 1 }, (_, attempts) => backoff(attempts));
  expect(delays.slice(0, 9)).toEqual([5, 15, 45, 135, 405, 1215, 3645, 10935, 28800].map((seconds) => seconds * 1000));
  expect(Math.max(...delays)).toBe(8 * hour);
  expect(delays).toHaveLength(17);
  expect(delays.reduce((sum, delay) => sum + delay) / hour).toBeCloseTo(76.6, 0);
});

describe('the Retry-After header', () => {
  beforeEach(() => void jest.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z') }));
  afterEach(() => void jest.useRealTimers());

  test.each([
    ['120', 120_000],
    ['0', 0],
    ['Sat, 21 Nov 2026 12:01:30 GMT', 90_000],
    ['Saturday, 21-Nov-26 12:01:30 GMT', 90_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['1000000000', 24 * hour],
    ['soon', 0],
    ['-5', 0],
    ['1.5', 0],
    ['', 0],
    [null, 0],
  ])('%p means %p ms', (header, delay) => {
    expect(readRetryAfter(header)).toBe(delay);
  });
});
