import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { RegistryError } from '../registry/release-registry.ts';
import type { ReleaseChange } from '../state/remote-state.ts';
import { createTemporaryReleases, type TemporaryReleases, versionOf } from '../test/release-folder.ts';
import { routeOf } from '../test/temporary-site.ts';
import { logWordsSchema, parsePercent } from './release-management.ts';

const by = { by: 'ada' };
const remote = 'mf-legal';
const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const preview = { tokenHash: 'a', endsAt: '2099-12-02T10:00:00.000Z' };

let releases: TemporaryReleases;
beforeEach(async () => {
  releases = createTemporaryReleases();
  for (const version of [first, second, third]) await releases.add(remote, version);
});
afterEach(() => releases.remove());

const stateOf = () => releases.copy.stateOf(remote);
const activate = async (...versions: readonly string[]) => {
  for (const version of versions) await releases.activate(remote, version, by);
};
/** Removes a release from the registry. */
async function lose(version: string, name = remote): Promise<void> {
  await releases.registry.remove(name, [version], releases.copy.stateOf(name).revision);
  await releases.copy.refresh();
}
async function offer(offered: string): Promise<void> {
  await releases.registry.reportOrigin(remote, { address: 'file:/x', offered, problem: null });
  await releases.copy.refresh();
}

/** Expects a change to fail with this message, which has releases by their numbers, without making it. */
async function expectNothingBut(message: string, change: () => Promise<unknown>): Promise<void> {
  const before = releases.copy.changes();
  const error = await change().catch((thrown: Error) => thrown);
  expect(byNumbers((error as Error).message)).toBe(message);
  await releases.copy.refresh();
  expect(releases.copy.changes()).toEqual(before);
}

type Change = (remote: string, version: string) => Promise<unknown>;

const replace: Change = (name, version) => releases.replace(name, version, by);
const promote: Change = (name, version) => releases.canary(name, version, 100, by);
/** Changes that serve a release. */
const servingChanges: Readonly<Record<string, Change>> = {
  activated: (name, version) => releases.activate(name, version, by),
  'activated in place of another': replace,
  'the target of a rollback': (name, version) => releases.rollback(name, by, version),
  pinned: (name, version) => releases.pin(name, version, by),
  'served as a canary': (name, version) => releases.canary(name, version, 10, by),
  promoted: promote,
};

describe('each change', () => {
  test('is logged with time, releases, reason and operator, and returned', async () => {
    const made = [
      await releases.activate(remote, first, { by: 'mirror' }),
      await releases.pin(remote, second, by),
      await releases.unpin(remote, by),
      await releases.canary(remote, third, 25, { by: 'ada', why: 'a try' }),
      await releases.rollback(remote, by),
      await releases.rollback(remote, by),
      await releases.canary(remote, third, 100, by),
      await releases.rollback(remote, { by: 'ada', why: 'broken' }, second),
      await releases.preview(remote, third, preview, { by: 'mirror' }),
      await releases.endPreview(remote, by),
      await releases.replace(remote, first, by),
    ];
    const lines = releases.copy.changes();
    expect(lines.map(({ action, from, to, why, by }) => [action, from, to, why, by])).toEqual([
      ['activate', null, first, 'new release at its origin', 'mirror'],
      ['pin', first, second, 'pinned', 'ada'],
      ['unpin', second, second, 'unpinned', 'ada'],
      ['canary', second, third, 'a try', 'ada'],
      ['rollback', third, second, 'canary ended', 'ada'],
      ['rollback', second, first, 'rolled back', 'ada'],
      ['activate', first, third, 'promoted to all visitors', 'ada'],
      ['rollback', third, second, 'broken', 'ada'],
      ['preview', second, third, 'new preview at its origin', 'mirror'],
      ['end-preview', null, third, 'preview ended', 'ada'],
      ['replace', second, first, 'activated', 'ada'],
    ]);
    expect(made).toEqual(lines);
    expect(made.map(({ revision }) => revision)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(made[3]).toMatchObject({ percent: 25 });
    expect(made[8]).toMatchObject(preview);
  });

  test('is based on the changes of other servers, and rejected if its author has not seen them', async () => {
    await activate(first);
    await releases.openAgain().pin(remote, second, by);
    await expect(releases.unpin(remote, { ...by, seen: 1 })).rejects.toThrow('has been changed in the meantime');
    expect(await releases.unpin(remote, { ...by, seen: 2 })).toMatchObject({ from: second, revision: 3 });
  });

  test('of an unknown remote is rejected', async () => {
    const others: Change[] = [
      (name) => releases.rollback(name, by),
      (name) => releases.unpin(name, by),
      (name) => releases.preview(name, first, preview, by),
      (name) => releases.endPreview(name, by),
    ];
    for (const change of [...Object.values(servingChanges), ...others])
      for (const name of ['mf-lega', '', '__proto__', '../mf-legal'])
        await expectNothingBut(`There is no remote “${name}”; there are mf-legal, mf-privacy.`, () =>
          change(name, first),
        );
  });

  test('fails with the reason while the registry can’t be used', async () => {
    await activate(first);
    releases.registry.read = async () => {
      throw new RegistryError(new Error('connect ECONNREFUSED'));
    };
    await expect(releases.pin(remote, second, by)).rejects.toThrow(
      "The release registry can't be used: connect ECONNREFUSED.",
    );
    expect(stateOf()).toMatchObject({ active: first, pinned: false });
  });

  test('to a release that is not stored is rejected with those that are', async () => {
    await activate(first);
    await lose(third);
    await lose(second);
    for (const change of Object.values(servingChanges))
      for (const version of [third, '', 'latest', `../mf-legal/${first}`])
        await expectNothingBut(`mf-legal has no stored release “${byNumbers(version)}”; stored: 1.`, () =>
          change(remote, version),
        );
    await lose(first);
    await expectNothingBut('mf-legal has no stored release “3”; stored: none.', () => replace(remote, third));
  });
});

/** Makes changes such as `canary 2 10`; returns the last one, with releases by their numbers. */
async function make(changes: string): Promise<string> {
  let last: unknown;
  for (const each of changes.split(', ')) {
    const [, what = '', number, percent] = /^([a-z-]+)(?: (\S+))?(?: (\S+))?$/.exec(each) ?? [];
    const version = number === undefined ? '' : versionOf(Number(number));
    const steps: Readonly<Record<string, () => Promise<unknown>>> = {
      activate: () => releases.activate(remote, version, by),
      replace: () => releases.replace(remote, version, by),
      rollback: () => releases.rollback(remote, by, version || undefined),
      pin: () => releases.pin(remote, version, by),
      unpin: () => releases.unpin(remote, by),
      canary: () => releases.canary(remote, version, Number(percent), by),
      preview: () => releases.preview(remote, version, preview, by),
      'end-preview': () => releases.endPreview(remote, by),
      lose: () => lose(version),
      offer: () => offer(version),
    };
    last = await steps[what]?.();
  }
  const { action, from, to } = (last ?? {}) as Partial<ReleaseChange>;
  return byNumbers(`${action} ${from} → ${to}`);
}
const byNumbers = (text: string) => text.replaceAll(/1\.0\.(\d)-0{7}\1/g, '$1');

describe('a change is made', () => {
  test.each([
    ['activate 1, activate 2, activate 3, rollback', 'rollback 3 → 2'],
    ['activate 1, activate 2, activate 3, rollback, rollback', 'rollback 2 → 1'],
    ['activate 1, activate 2, activate 3, lose 2, rollback', 'rollback 3 → 1'],
    // A withdrawn release that is named is the previous one from then on.
    ['activate 1, activate 2, rollback, rollback 2', 'rollback 1 → 2'],
    ['activate 1, activate 2, rollback, rollback 2, activate 3, rollback', 'rollback 3 → 2'],
    ['activate 1, pin 2, rollback 1', 'rollback 2 → 1'],
    ['activate 1, activate 2, canary 3 10, rollback', 'rollback 3 → 2'],
    ['activate 1, activate 2, canary 3 10, rollback 1', 'rollback 2 → 1'],
    ['activate 1, pin 1, pin 2', 'pin 1 → 2'],
    ['canary 1 100', 'activate null → 1'],
    ['activate 1, canary 2 1', 'canary 1 → 2'],
    ['activate 1, canary 2 99, canary 2 0', 'rollback 2 → 1'],
    ['activate 1, canary 2 10, lose 2, canary 2 0', 'rollback 2 → 1'],
    ['activate 1, offer 1, replace 2', 'replace 1 → 2'],
    ['activate 1, offer 2, replace 2', 'replace 1 → 2'],
    ['activate 1, offer 2, canary 2 100', 'activate 1 → 2'],
    // The release at the origin waits, or was rolled back.
    ['activate 1, offer 3, pin 1, replace 2', 'replace 1 → 2'],
    ['activate 1, offer 3, pin 1, canary 2 100', 'activate 1 → 2'],
    ['activate 1, activate 3, rollback, offer 3, replace 2', 'replace 1 → 2'],
    ['activate 1, activate 3, rollback, offer 3, canary 2 100', 'activate 1 → 2'],
  ])('%s: %s', async (changes, made) => {
    expect(await make(changes)).toBe(made);
  });

  const share = 'The share of visitors must be a whole number from 0 to 100, not';
  const replaced = 'The origin of mf-legal offers 3, which would soon take the place of 2.';
  test.each([
    ['', 'rollback', 'mf-legal has no active release yet; there is nothing to roll back.'],
    [
      'activate 1, activate 2, rollback',
      'rollback',
      'mf-legal has no stored release before 1 that is not withdrawn. To roll back to another stored release, name its version.',
    ],
    ['activate 1', 'rollback 1', 'mf-legal@1 is active already.'],
    [
      'activate 1, pin 2',
      'rollback',
      'mf-legal is pinned to 2, and newer releases only wait. A rollback would pin it to 1 instead, and 2 would not become active by itself again. To do that, name the version 1.',
    ],
    ['', 'unpin', 'mf-legal is not pinned.'],
    ['activate 1', 'unpin', 'mf-legal is not pinned.'],
    ['activate 1, pin 1', 'pin 1', 'mf-legal is pinned to 1 already.'],
    ['activate 1', 'preview 1', 'mf-legal@1 is active for all visitors already.'],
    ['activate 1, preview 2, end-preview', 'end-preview', 'mf-legal has no preview.'],
    ['activate 1', 'replace 1', 'mf-legal@1 is active for all visitors already.'],
    ['activate 1, offer 3', 'canary 2 100', `${replaced} Activate it, or pin it.`],
    ['activate 1, offer 3', 'replace 2', `${replaced} Pin 2, or activate it once mf-legal serves that release.`],
    ['', 'canary 1 10', 'mf-legal has no active release yet, which all other visitors would get; pin it to one first.'],
    ['activate 1', 'canary 1 10', 'mf-legal@1 is active for all visitors already.'],
    ['activate 1', 'canary 1 100', 'mf-legal@1 is active for all visitors already.'],
    ['activate 1, canary 2 10, lose 2', 'canary 3 0', 'No canary of mf-legal@3 runs.'],
    ['activate 1', 'canary 2 0', 'No canary of mf-legal@2 runs.'],
    ...['150', '101', '-1', '0.5', 'NaN', 'Infinity'].map(
      (percent) => ['activate 1', `canary 2 ${percent}`, `${share} ${percent}.`] as const,
    ),
  ])('after %j, but not %s: %s', async (before, change, message) => {
    if (before) await make(before);
    await expectNothingBut(message, () => make(change));
  });
});

describe('the paths of a release', () => {
  const claim = { routes: [routeOf('/terms')] };
  beforeEach(async () => {
    await activate(first);
    await lose(second);
    await releases.add(remote, second, claim);
    await releases.add('mf-privacy', first);
    await releases.add('mf-privacy', second, claim);
    await releases.activate('mf-privacy', first, by);
  });

  test('can be free: what a stored or a removed remote has does not count', async () => {
    const before = createTemporaryReleases([remote, 'mf-privacy', 'mf-old'], releases.registry);
    await before.add('mf-old', first, claim);
    await before.activate('mf-old', first, by);
    before.remove();
    await replace(remote, second);
  });

  test.each<[string, () => unknown]>([
    ['another remote', () => releases.activate('mf-privacy', second, by)],
    ['a canary of another remote', () => releases.canary('mf-privacy', second, 1, by)],
    [
      "the fallback of another remote's lost release",
      async () => {
        await releases.add('mf-privacy', third);
        for (const version of [second, third]) await releases.activate('mf-privacy', version, by);
        await lose(third, 'mf-privacy');
      },
    ],
  ])('are rejected if %s serves them', async (_what, prepare) => {
    await prepare();
    const message = "mf-legal@2 can't be served: its route /terms belongs to mf-privacy@2";
    for (const change of Object.values(servingChanges)) await expectNothingBut(message, () => change(remote, second));
  });

  test('are not checked when a canary is ended', async () => {
    await releases.canary(remote, second, 10, by);
    // Possible if two servers decide at the same moment.
    const { revision } = releases.copy.stateOf('mf-privacy');
    const change = { action: 'activate', from: first, to: second, why: '', by: 'test' } as const;
    await releases.registry.append({ ...change, remote: 'mf-privacy', revision: revision + 1 });
    await releases.canary(remote, second, 0, by);
  });
});

test.each([
  ['0', 0],
  ['5', 5],
  ['5%', 5],
  [' 100 % ', 100],
])('the share of visitors %j is %p', (text, percent) => {
  expect(parsePercent(text)).toBe(percent);
});

test.each(['150', '-5', 'many', ' ', '', '%', '0x10', '1.5', '1e1'])('%j is no share of visitors', (text) => {
  expect(() => parsePercent(text)).toThrow(
    `The share of visitors must be a whole number from 0 to 100, not “${text}”.`,
  );
});

test('text for the log is one line of at most 200 characters, without control characters', () => {
  const schema = logWordsSchema('a reason');
  expect(schema.parse(' Ann\u001b[2J\r\n\theading\u0000 \u202e! ')).toBe('Ann [2J heading !');
  expect(schema.parse('a'.repeat(200))).toHaveLength(200);
  expect(() => schema.parse('a'.repeat(201))).toThrow('Write a reason of at most 200 characters.');
});
