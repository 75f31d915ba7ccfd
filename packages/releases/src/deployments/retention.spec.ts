import { describe, expect, test } from '@jest/globals';
import { provenRelease, retain } from './retention.ts';

const releases = ['one', 'two', 'three', 'four', 'five', 'six'].map((version, usedAt) => ({ version, usedAt }));
const back = [{ version: 'new', usedAt: -5 }, ...releases];

test.each<[string, readonly (string | undefined)[], number, string, typeof releases?]>([
  ['are the most recently used, up to the count', [], 5, 'five four six three two'],
  ['do not depend on the order of releases', [], 2, 'five six', releases.toReversed()],
  ['are all releases if there are fewer than the count', [], 7, 'five four one six three two'],
  ['are none of none', [], 5, '', []],
  ['always include the needed ones, and the most recently used others', ['one', undefined], 3, 'five one six'],
  ['exceed the count if more are needed', ['one', 'two', 'three'], 2, 'one three two'],
  ['count a needed release once', ['six', 'six'], 2, 'five six'],
  ["include a needed release that can't be read by its name, beside the count", ['lost'], 2, 'five lost six'],
  ['include the needed ones if the clock went back', ['new', 'six'], 3, 'five new six', back],
])('the retained releases %s', (_what, needed, count, retained, of = releases) => {
  expect([...retain(of, needed, count)].toSorted().join(' ')).toBe(retained);
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
