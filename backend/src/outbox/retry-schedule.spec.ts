import { describe, expect, test } from '@jest/globals';
import { nextDelay, readRetryAfter, retryPeriod } from './receiver.ts';

const hour = 3_600_000;
const middle = 0.5;

/** Returns every delay of an event that the receiver never accepts. */
function delays(random: () => number): number[] {
  const made: number[] = [];
  let elapsed = 0;
  for (;;) {
    const delay = nextDelay({ attempts: made.length + 1, elapsed, retryAfter: 0 }, random());
    if (delay === undefined) return made;
    made.push(delay);
    elapsed += delay;
  }
}

describe('an event that is never accepted', () => {
  test('is attempted 18 times in three days, with exponential backoff', () => {
    const made = delays(() => middle);
    expect(made.slice(0, 9)).toEqual([5, 15, 45, 135, 405, 1215, 3645, 10935, 28800].map((seconds) => seconds * 1000));
    expect(Math.max(...made)).toBe(8 * hour);
    expect(made).toHaveLength(17);
  });

  test.each([0, middle, 0.999])('is retried for exactly three days with a random value of %p', (random) => {
    expect(delays(() => random).reduce((sum, delay) => sum + delay)).toBe(retryPeriod);
  });

  test('is retried up to a fifth sooner or later than its backoff', () => {
    expect(nextDelay({ attempts: 1, elapsed: 0, retryAfter: 0 }, 0)).toBe(4_000);
    expect(nextDelay({ attempts: 1, elapsed: 0, retryAfter: 0 }, 1)).toBe(6_000);
  });

  test('is not retried after three days', () => {
    expect(nextDelay({ attempts: 18, elapsed: retryPeriod, retryAfter: 0 }, middle)).toBeUndefined();
    expect(nextDelay({ attempts: 18, elapsed: retryPeriod - 1, retryAfter: 0 }, middle)).toBe(1);
  });
});

describe('the retry delay with a Retry-After', () => {
  test('honors it, also past the end of the three days', () => {
    expect(nextDelay({ attempts: 1, elapsed: 0, retryAfter: hour }, middle)).toBe(hour);
    expect(nextDelay({ attempts: 17, elapsed: retryPeriod - 1000, retryAfter: hour }, middle)).toBe(hour);
  });

  test('is never shorter than the backoff', () => {
    expect(nextDelay({ attempts: 3, elapsed: 20_000, retryAfter: 0 }, middle)).toBe(45_000);
  });

  test('is at most a day', () => {
    expect(nextDelay({ attempts: 1, elapsed: 0, retryAfter: 1e12 }, middle)).toBe(24 * hour);
  });
});

describe('the Retry-After header', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');

  test.each([
    ['120', 120_000],
    ['0', 0],
    ['Sat, 21 Nov 2026 12:01:30 GMT', 90_000],
    ['Saturday, 21-Nov-26 12:01:30 GMT', 90_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['soon', 0],
    ['-5', 0],
    ['1.5', 0],
    ['', 0],
    [null, 0],
  ])('%p means %p ms', (header, delay) => {
    expect(readRetryAfter(header, now)).toBe(delay);
  });
});
