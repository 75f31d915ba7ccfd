import { describe, expect, test } from '@jest/globals';
import { provenRelease, retain } from './retention.ts';

const releases = ['one', 'two', 'three', 'four', 'five', 'six'].map((version, usedAt) => ({ version, usedAt }));
const retainedOf = (needed: readonly (string | undefined)[], count: number, of = releases) =>
  [...retain(of, needed, count)].toSorted();

describe('the retained releases', () => {
  test('are the most recently used, up to the count', () => {
    expect(retainedOf([], 5)).toEqual(['five', 'four', 'six', 'three', 'two']);
    expect(retainedOf([], 2, releases.toReversed())).toEqual(['five', 'six']);
  });

  test('are all releases if there are fewer than the count', () => {
    expect(retainedOf([], 7)).toHaveLength(6);
    expect(retainedOf([], 5, [])).toEqual([]);
  });

  test('always include the needed ones, and the most recently used others', () => {
    expect(retainedOf(['one', undefined], 3)).toEqual(['five', 'one', 'six']);
  });

  test('exceed the count if more are needed', () => {
    expect(retainedOf(['one', 'two', 'three'], 2)).toEqual(['one', 'three', 'two']);
  });

  test('count a needed release once', () => {
    expect(retainedOf(['six', 'six'], 2)).toEqual(['five', 'six']);
  });

  test("reach the count beside a needed release that can't be read, which is retained by its name", () => {
    expect(retainedOf(['lost'], 2)).toEqual(['five', 'lost', 'six']);
  });

  test('do not depend on the order of releases if the clock went back', () => {
    const back = [{ version: 'new', usedAt: -5 }, ...releases];
    expect(retainedOf(['new', 'six'], 3, back)).toEqual(['five', 'new', 'six']);
  });
});

describe('the release with the longest active time', () => {
  const hour = 3_600_000;
  const at = (hours: number) => new Date(hours * hour).toISOString();
  const activations = new Map([
    ['good', at(0)],
    ['bad', at(24)],
    ['worse', at(24.1)],
  ]);

  test('is found among later ones', () => {
    expect(provenRelease(activations, 25 * hour)).toBe('good');
    expect(provenRelease(activations, 60 * hour)).toBe('worse');
  });

  test('is none before a release was active for an hour', () => {
    expect(provenRelease(new Map([['first', at(0)]]), hour - 1)).toBeUndefined();
    expect(provenRelease(new Map(), hour)).toBeUndefined();
  });
});
