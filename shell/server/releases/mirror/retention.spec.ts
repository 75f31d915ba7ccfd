import { describe, expect, test } from '@jest/globals';
import { longestActive, retain } from './retention.ts';

const releases = ['one', 'two', 'three', 'four', 'five', 'six'].map((version, usedAt) => ({ version, usedAt }));
const kept = (needed: readonly (string | undefined)[], count: number, of = releases) =>
  [...retain(of, needed, count)].toSorted();

describe('the releases that are kept', () => {
  test('are the last used, as many as shall be', () => {
    expect(kept([], 5)).toEqual(['five', 'four', 'six', 'three', 'two']);
    expect(kept([], 2, releases.toReversed())).toEqual(['five', 'six']);
  });

  test('are all where there are fewer', () => {
    expect(kept([], 7)).toHaveLength(6);
    expect(kept([], 5, [])).toEqual([]);
  });

  test('are in any case those that are needed, and the last used beside them', () => {
    expect(kept(['one', undefined], 3)).toEqual(['five', 'one', 'six']);
  });

  test('may be more than shall be, where more are needed', () => {
    expect(kept(['one', 'two', 'three'], 2)).toEqual(['one', 'three', 'two']);
  });

  test('count a needed one once', () => {
    expect(kept(['six', 'six'], 2)).toEqual(['five', 'six']);
  });

  test('are as many as shall be beside a needed one that can not be read, which stays by its name', () => {
    expect(kept(['lost'], 2)).toEqual(['five', 'lost', 'six']);
  });

  test('are the same whatever the order, where the clock went back', () => {
    const back = [{ version: 'new', usedAt: -5 }, ...releases];
    expect(kept(['new', 'six'], 3, back)).toEqual(['five', 'new', 'six']);
  });
});

describe('the release that was active longest', () => {
  const hour = 3_600_000;
  const at = (hours: number) => new Date(hours * hour).toISOString();
  const activations = new Map([
    ['good', at(0)],
    ['bad', at(24)],
    ['worse', at(24.1)],
  ]);

  test('is found among those that came after it', () => {
    expect(longestActive(activations, 25 * hour)).toBe('good');
    expect(longestActive(activations, 60 * hour)).toBe('worse');
  });

  test('is none before one was active for an hour', () => {
    expect(longestActive(new Map([['first', at(0)]]), hour - 1)).toBeUndefined();
    expect(longestActive(new Map(), hour)).toBeUndefined();
  });
});
