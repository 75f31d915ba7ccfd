import { versionOf } from '@daybook/testing/releases';
import { createTemporaryReleases } from '@daybook/testing/temporary-releases';
import { describe, expect, test } from '@jest/globals';
import { provenRelease, removeOldReleases, retain } from './retention.ts';

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

test('what is in use stays, however old, when releases are published', async () => {
  const releases = createTemporaryReleases();
  const [remote, by] = ['mf-legal', { by: 'test' }];
  for (let number = 1; number <= 8; number += 1) await releases.add(remote, versionOf(number));
  // Of another contract: no later shell would remove it either.
  await releases.add(remote, versionOf(9), { contract: 99 as never });
  for (const number of [1, 2]) await releases.activate(remote, versionOf(number), by);
  await releases.offer(remote, versionOf(3), { percent: 10 }, by);
  const endsAt = new Date(Date.now() + 60_000).toISOString();
  await releases.offer(remote, versionOf(4), { tokenHash: 'a', endsAt }, by);
  const { registry, live } = releases;
  const retained = () => live.current.storedOf(remote).map(({ version }) => Number(version.slice(-1)));
  // Of a remote that changes at this moment, nothing is removed.
  const { remove } = registry;
  registry.remove = (name, versions, number) => remove.call(registry, name, versions, number - 1);
  await removeOldReleases(registry, live, remote, 5);
  expect(retained()).toHaveLength(9);
  registry.remove = remove;
  await removeOldReleases(registry, live, remote, 5);
  expect([retained().length, retained()]).toEqual([5, expect.arrayContaining([1, 2, 3, 4])]);
  registry.remove = () => Promise.reject(new Error('away'));
  await removeOldReleases(registry, live, remote, 2);
  expect(retained()).toHaveLength(5);
  releases.remove();
});
