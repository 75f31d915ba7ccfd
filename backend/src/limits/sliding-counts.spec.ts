import { hash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { SlidingCounts, windowLength } from './sliding-counts.ts';

const minute = 1_000;
let now: number;
let counts: SlidingCounts;

beforeEach(() => {
  now = minute * windowLength;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  counts = new SlidingCounts();
});
afterEach(() => void jest.restoreAllMocks());

const addMany = (times: number, limit: number, key = 'a') =>
  Array.from({ length: times }, () => counts.add(key, limit)).filter((wait) => wait === 0).length;

describe('SlidingCounts', () => {
  test('accepts as many events per key as the limit', () => {
    expect(addMany(7, 5)).toBe(5);
    expect(addMany(7, 5, 'b')).toBe(5);
  });

  test('does not count rejected events', () => {
    addMany(100, 5);
    expect(counts.add('a', 6)).toBe(0);
  });

  test('fades a minute out while the next one passes', () => {
    addMany(60, 60);
    now += windowLength;
    expect(addMany(60, 60)).toBe(0);
    now += windowLength / 2;
    expect(addMany(60, 60)).toBe(30);
    now += 2 * windowLength;
    expect(addMany(60, 60)).toBe(60);
  });

  test.each([
    [1, 0],
    [5, 20_000],
    [60, 59_999],
    [100, 31_234],
  ])(
    'returns the time until the next event is accepted, for a limit of %p at ms %p of the minute',
    (limit, elapsed) => {
      now += elapsed;
      for (let round = 0; round < 5; round += 1) {
        addMany(limit, limit);
        const wait = counts.add('a', limit);
        expect(wait).toBeGreaterThan(0);
        now += Math.ceil(wait);
        expect(counts.add('a', limit)).toBe(0);
      }
    },
  );

  describe('with the max number of keys', () => {
    const keyOf = (text: string) => hash('sha256', text, 'base64url').slice(0, 22);
    beforeEach(() => {
      for (let key = 0; key < 50_000; key += 1) counts.add(keyOf(`key ${key}`), 1);
    });

    test('still counts new keys and known keys', () => {
      expect(addMany(100, 5, keyOf('one more'))).toBe(5);
      expect(addMany(2, 1, keyOf('key 7'))).toBe(0);
      expect(addMany(2, 5, keyOf('key 7'))).toBe(2);
    });

    test('accepts over 90 % of other new keys while a hundred new keys are at their limit', () => {
      for (let key = 0; key < 100; key += 1) addMany(100, 5, keyOf(`attacker ${key}`));
      const honest = Array.from({ length: 1_000 }, (_, key) => addMany(1, 5, keyOf(`honest ${key}`)));
      expect(honest.filter(Boolean).length).toBeGreaterThan(900);
    });

    test('maps new keys to at most 4,096 shared counts', () => {
      for (let key = 0; key < 50_000; key += 1) counts.add(keyOf(`more ${key}`), 1_000);
      const reported = counts.report().map(({ key }) => key);
      expect(reported.length).toBeLessThanOrEqual(50_000 + 4_096);
      expect(reported.filter((key) => key.length !== 22)).toEqual([]);
    });

    test('carries shared counts over to the next minute', () => {
      addMany(100, 60, keyOf('one more'));
      now += windowLength;
      expect(addMany(60, 60, keyOf('one more'))).toBe(0);
      now += windowLength / 2;
      expect(addMany(60, 60, keyOf('one more'))).toBe(30);
    });
  });
});

describe('SlidingCounts with other backends', () => {
  /** The shared table; only this backend reports to it. */
  const table = new Map<string, number>();
  beforeEach(() => table.clear());
  const exchange = () => {
    const report = counts.report();
    counts.learn(
      report.map(({ key, minute, count }) => {
        const total = (table.get(`${minute} ${key}`) ?? 0) + count;
        const before = table.get(`${minute - 1} ${key}`) ?? 0;
        table.set(`${minute} ${key}`, total);
        return { key, minute, count: total, before };
      }),
    );
    return report;
  };

  test('reports each count once', () => {
    addMany(3, 10);
    expect(exchange()).toEqual([{ key: 'a', minute, count: 3 }]);
    expect(exchange()).toEqual([]);
    counts.add('a', 10);
    expect(exchange()).toEqual([{ key: 'a', minute, count: 1 }]);
  });

  test('reports a key once it reaches a twentieth of its limit', () => {
    addMany(4, 100);
    expect(exchange()).toEqual([]);
    counts.add('a', 100);
    expect(exchange()).toEqual([{ key: 'a', minute, count: 5 }]);
    counts.add('a', 100);
    expect(exchange()).toEqual([{ key: 'a', minute, count: 1 }]);
  });

  test('adds the counts of others for this minute and the one before', () => {
    table.set(`${minute} a`, 35).set(`${minute - 1} a`, 50);
    addMany(5, 100);
    exchange();
    expect(addMany(100, 100)).toBe(10);
    now += windowLength / 2;
    expect(addMany(100, 100)).toBe(25);
  });

  test('keeps counting while a report is in progress', () => {
    addMany(3, 10);
    counts.report();
    expect(addMany(10, 10)).toBe(7);
    counts.learn([{ key: 'a', minute, count: 3, before: 0 }]);
    expect(addMany(10, 10)).toBe(0);
    expect(counts.report()).toEqual([{ key: 'a', minute, count: 7 }]);
  });

  test('repeats counts whose report failed', () => {
    addMany(3, 10);
    counts.report();
    expect(addMany(10, 10)).toBe(7);
    expect(counts.report()).toEqual([{ key: 'a', minute, count: 10 }]);
  });

  test('keeps its own count of the minute before when both minutes are in one report', () => {
    addMany(4, 10);
    now += windowLength;
    counts.add('a', 10);
    expect(exchange()).toHaveLength(2);
    expect(addMany(10, 10)).toBe(5);
  });

  test('drops unreported counts older than the window', () => {
    counts.add('a', 1);
    now += 2 * windowLength;
    expect(counts.report()).toEqual([]);
  });
});
