import { describe, expect, test } from '@jest/globals';
import { nextDelay, readRetryAfter, retryPeriod } from './receiver.ts';

const hour = 3_600_000;
const middle = 0.5;

/** Every delay of an event whose receiver never takes it. */
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

describe('an event that is never taken', () => {
  test('is tried again after growing delays, 18 times in three days', () => {
    const made = delays(() => middle);
    expect(made.slice(0, 9)).toEqual([5, 15, 45, 135, 405, 1215, 3645, 10935, 28800].map((seconds) => seconds * 1000));
    expect(Math.max(...made)).toBe(8 * hour);
    expect(made).toHaveLength(17);
  });

  test.each([0, middle, 0.999])('is tried for exactly three days, whatever chance says: %p', (random) => {
    expect(delays(() => random).reduce((sum, delay) => sum + delay)).toBe(retryPeriod);
  });

  test('comes back a fifth sooner or later than others that failed with it', () => {
    expect(nextDelay({ attempts: 1, elapsed: 0, retryAfter: 0 }, 0)).toBe(4_000);
    expect(nextDelay({ attempts: 1, elapsed: 0, retryAfter: 0 }, 1)).toBe(6_000);
  });

  test('has no further attempt once three days are over', () => {
    expect(nextDelay({ attempts: 18, elapsed: retryPeriod, retryAfter: 0 }, middle)).toBeUndefined();
    expect(nextDelay({ attempts: 18, elapsed: retryPeriod - 1, retryAfter: 0 }, middle)).toBe(1);
  });
});

describe('a receiver that asks for time', () => {
  test('gets it, also past the end of the three days', () => {
    expect(nextDelay({ attempts: 1, elapsed: 0, retryAfter: hour }, middle)).toBe(hour);
    expect(nextDelay({ attempts: 17, elapsed: retryPeriod - 1000, retryAfter: hour }, middle)).toBe(hour);
  });

  test('does not get the event sooner by it', () => {
    expect(nextDelay({ attempts: 3, elapsed: 20_000, retryAfter: 0 }, middle)).toBe(45_000);
  });

  test('gets a day at most', () => {
    expect(nextDelay({ attempts: 1, elapsed: 0, retryAfter: 1e12 }, middle)).toBe(24 * hour);
  });
});

describe('Retry-After', () => {
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
