import { hash } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { SlidingCounts, windowLength } from './sliding-counts.ts';

const minute = 1_000;
let now: number;
let counts: SlidingCounts;

beforeEach(() => {
  now = minute * windowLength;
  counts = new SlidingCounts(() => now);
});

const addMany = (times: number, limit: number, key = 'a') =>
  Array.from({ length: times }, () => counts.add(key, limit)).filter(({ allowed }) => allowed).length;

describe('counting by key', () => {
  test('lets through as many as the limit, of each key', () => {
    expect(addMany(7, 5)).toBe(5);
    expect(addMany(7, 5, 'b')).toBe(5);
  });

  test('does not count what it refuses', () => {
    addMany(100, 5);
    expect(counts.add('a', 6).allowed).toBe(true);
  });

  test('forgets a minute as the next one passes', () => {
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
  ])('says when one more of a limit of %p, at ms %p of the minute, will be let through', (limit, elapsed) => {
    now += elapsed;
    for (let round = 0; round < 5; round += 1) {
      addMany(limit, limit);
      const { allowed, wait } = counts.add('a', limit);
      expect(allowed).toBe(false);
      now += Math.ceil(wait);
      expect(counts.add('a', limit).allowed).toBe(true);
    }
  });

  describe('with a full table', () => {
    const keyOf = (text: string) => hash('sha256', text, 'base64url').slice(0, 22);
    beforeEach(() => {
      for (let key = 0; key < 50_000; key += 1) counts.add(keyOf(`key ${key}`), 1);
    });

    test('counts every new key, and goes on with those that it has', () => {
      expect(addMany(100, 5, keyOf('one more'))).toBe(5);
      expect(addMany(2, 1, keyOf('key 7'))).toBe(0);
      expect(addMany(2, 5, keyOf('key 7'))).toBe(2);
    });

    test('lets almost every other new key through while a hundred new ones are at their limit', () => {
      for (let key = 0; key < 100; key += 1) addMany(100, 5, keyOf(`attacker ${key}`));
      const honest = Array.from({ length: 1_000 }, (_, key) => addMany(1, 5, keyOf(`honest ${key}`)));
      expect(honest.filter(Boolean).length).toBeGreaterThan(900);
    });

    test('lets new keys share no more than 4,096 counts', () => {
      for (let key = 0; key < 50_000; key += 1) counts.add(keyOf(`more ${key}`), 1_000);
      const reported = counts.takeReport(200_000).map(({ key }) => key);
      expect(reported.length).toBeLessThanOrEqual(50_000 + 4_096);
      expect(reported.filter((key) => key.length !== 22)).toEqual([]);
    });

    test('still knows in the next minute what it counted', () => {
      addMany(100, 60, keyOf('one more'));
      now += windowLength;
      expect(addMany(60, 60, keyOf('one more'))).toBe(0);
      now += windowLength / 2;
      expect(addMany(60, 60, keyOf('one more'))).toBe(30);
    });
  });
});

describe('adding up with others', () => {
  test('reports each count once', () => {
    addMany(3, 10);
    expect(counts.takeReport(10)).toEqual([{ key: 'a', minute, count: 3 }]);
    expect(counts.takeReport(10)).toEqual([]);
    counts.add('a', 10);
    expect(counts.takeReport(10)).toEqual([{ key: 'a', minute, count: 1 }]);
  });

  test('keeps a count to itself until it is a twentieth of its limit, and reports each one from then on', () => {
    addMany(4, 100);
    expect(counts.takeReport(10)).toEqual([]);
    counts.add('a', 100);
    expect(counts.takeReport(10)).toEqual([{ key: 'a', minute, count: 5 }]);
    counts.learn([{ key: 'a', minute, count: 5, before: 0 }]);
    counts.add('a', 100);
    expect(counts.takeReport(10)).toEqual([{ key: 'a', minute, count: 1 }]);
  });

  test('takes in what others have counted, in this minute and the one before', () => {
    addMany(5, 100);
    counts.takeReport(10);
    counts.learn([{ key: 'a', minute, count: 40, before: 50 }]);
    expect(addMany(100, 100)).toBe(10);
    now += windowLength / 2;
    expect(addMany(100, 100)).toBe(25);
  });

  test('goes on counting while a report is under way', () => {
    addMany(3, 10);
    counts.takeReport(10);
    expect(addMany(10, 10)).toBe(7);
    counts.learn([{ key: 'a', minute, count: 3, before: 0 }]);
    expect(addMany(10, 10)).toBe(0);
    expect(counts.takeReport(10)).toEqual([{ key: 'a', minute, count: 7 }]);
  });

  test('sends again what did not arrive', () => {
    addMany(3, 10);
    counts.putBack(counts.takeReport(10));
    expect(addMany(10, 10)).toBe(7);
    expect(counts.takeReport(10)).toEqual([{ key: 'a', minute, count: 10 }]);
  });

  test('keeps its own share of the minute before, which one report has along with this one', () => {
    addMany(4, 10);
    now += windowLength;
    counts.add('a', 10);
    counts.takeReport(10);
    counts.learn([
      { key: 'a', minute, count: 4, before: 0 },
      { key: 'a', minute: minute + 1, count: 1, before: 0 },
    ]);
    expect(addMany(10, 10)).toBe(5);
  });

  test('leaves the rest to the next report where there are too many keys', () => {
    for (const key of ['a', 'b', 'c']) counts.add(key, 1);
    expect(counts.takeReport(2)).toHaveLength(2);
    expect(counts.takeReport(2)).toHaveLength(1);
  });

  test('forgets what nobody took in time', () => {
    counts.add('a', 1);
    now += 2 * windowLength;
    expect(counts.takeReport(10)).toEqual([]);
  });
});
