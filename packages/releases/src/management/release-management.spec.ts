import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { RegistryError } from '../registry/release-registry.ts';
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

/** Expects a change to fail with this message, without making it. */
async function expectNothingBut(message: string, change: () => Promise<unknown>): Promise<void> {
  const before = releases.copy.changes();
  await expect(change()).rejects.toThrow(message);
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
        await expectNothingBut(`mf-legal has no stored release “${version}”; stored: ${first}.`, () =>
          change(remote, version),
        );
    await lose(first);
    await expectNothingBut(`mf-legal has no stored release “${third}”; stored: none.`, () => replace(remote, third));
  });
});

describe('rollback', () => {
  test('activates the previous stored release, and the one before that the next time', async () => {
    await expectNothingBut('mf-legal has no active release yet; there is nothing to roll back.', () =>
      releases.rollback(remote, by),
    );
    await activate(first, second, third);
    await lose(second);
    expect(await releases.rollback(remote, by)).toMatchObject({ from: third, to: first });
    await releases.add(remote, second);
    await activate(third);
    expect(await releases.rollback(remote, by)).toMatchObject({ from: third, to: first });
    await expectNothingBut(`mf-legal@${first} is active already.`, () => releases.rollback(remote, by, first));
    await releases.rollback(remote, by, second);
    await expectNothingBut(
      `mf-legal has no stored release before ${second} that is not withdrawn. To roll back to another stored release, name its version.`,
      () => releases.rollback(remote, by),
    );
  });

  test('activates the named version, also one that was withdrawn, which is the previous one from then on', async () => {
    await activate(first, second);
    await releases.rollback(remote, by);
    await releases.rollback(remote, by, second);
    expect(stateOf()).toMatchObject({ active: second, withdrawn: new Set([first]) });
    await activate(third);
    expect(await releases.rollback(remote, by)).toMatchObject({ to: second });
  });

  test('of a pinned release needs the version, and does not remove the pin', async () => {
    await activate(first);
    await releases.pin(remote, second, by);
    await expectNothingBut(
      `mf-legal is pinned to ${second}, and newer releases only wait. A rollback would pin it to ${first} instead, and ${second} would not become active by itself again. To do that, name the version ${first}.`,
      () => releases.rollback(remote, by),
    );
    await releases.rollback(remote, by, first);
    expect(stateOf()).toMatchObject({ active: first, pinned: true });
  });

  test('ends a running canary, and the named version replaces the active release', async () => {
    await activate(first, second);
    await releases.canary(remote, third, 10, by);
    expect(await releases.rollback(remote, by)).toMatchObject({ from: third, to: second });
    await releases.canary(remote, third, 10, by);
    expect(await releases.rollback(remote, by, first)).toMatchObject({ from: second, to: first });
  });
});

test('pin, unpin, preview and its end fail without a change', async () => {
  await expectNothingBut('mf-legal is not pinned.', () => releases.unpin(remote, by));
  await activate(first);
  await expectNothingBut('mf-legal is not pinned.', () => releases.unpin(remote, by));
  await releases.pin(remote, first, by);
  await expectNothingBut(`mf-legal is pinned to ${first} already.`, () => releases.pin(remote, first, by));
  await releases.pin(remote, second, by);
  expect(stateOf()).toMatchObject({ active: second, pinned: true });
  await expectNothingBut(`mf-legal@${second} is active for all visitors already.`, () =>
    releases.preview(remote, second, preview, by),
  );
  await releases.preview(remote, first, preview, by);
  await releases.endPreview(remote, by);
  await expectNothingBut('mf-legal has no preview.', () => releases.endPreview(remote, by));
});

describe('a release that an operator activates or promotes', () => {
  beforeEach(() => activate(first));

  test('is not one that the next poll would replace', async () => {
    await offer(third);
    const message = `The origin of mf-legal offers ${third}, which would soon take the place of ${second}.`;
    await expectNothingBut(`${message} Activate it, or pin it.`, () => promote(remote, second));
    await expectNothingBut(`${message} Pin ${second}, or activate it once mf-legal serves that release.`, () =>
      replace(remote, second),
    );
  });

  test.each<[string, () => unknown]>([
    ['the one at the origin', () => offer(second)],
    ['held by a pin', () => releases.pin(remote, first, by)],
    [
      'any other if the one at the origin was rolled back',
      async () => {
        await activate(third);
        await releases.rollback(remote, by);
      },
    ],
  ])('can be %s', async (_what, prepare) => {
    await offer(third);
    await prepare();
    await promote(remote, second);
    await releases.rollback(remote, by, first);
    await replace(remote, second);
    expect(stateOf().active).toBe(second);
  });

  test('replaces the active one, even if its origin offers that', async () => {
    await offer(first);
    expect(await replace(remote, second)).toMatchObject({ from: first, to: second });
    await expectNothingBut(`mf-legal@${second} is active for all visitors already.`, () => replace(remote, second));
  });
});

describe('a canary', () => {
  test('needs an active release, and is for a whole percentage of the visitors', async () => {
    await expectNothingBut('mf-legal has no active release yet, which all other visitors would get', () =>
      releases.canary(remote, first, 10, by),
    );
    await promote(remote, first);
    for (const percent of [150, 101, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
      await expectNothingBut(`The share of visitors must be a whole number from 0 to 100, not ${percent}.`, () =>
        releases.canary(remote, second, percent, by),
      );
    for (const percent of [10, 100])
      await expectNothingBut(`mf-legal@${first} is active for all visitors already.`, () =>
        releases.canary(remote, first, percent, by),
      );
    for (const percent of [1, 99]) {
      await releases.canary(remote, second, percent, by);
      expect(stateOf()).toMatchObject({ active: first, canary: { version: second, percent } });
    }
  });

  test('is ended by its version, also if that is lost', async () => {
    await activate(first);
    await releases.canary(remote, second, 10, by);
    await lose(second);
    for (const version of [versionOf(9), 'latest', third])
      await expectNothingBut(`No canary of mf-legal@${version} runs.`, () => releases.canary(remote, version, 0, by));
    expect(await releases.canary(remote, second, 0, by)).toMatchObject({ action: 'rollback', from: second, to: first });
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
    const message = `mf-legal@${second} can't be served: its route /terms belongs to mf-privacy@${second}`;
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
