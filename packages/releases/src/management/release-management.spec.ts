import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { RegistryError } from '../registry/release-registry.ts';
import { createTemporaryReleases, type TemporaryReleases, versionOf } from '../test/release-folder.ts';
import { routeOf } from '../test/temporary-site.ts';
import type { ReleaseManagement } from './release-management.ts';

const by = { by: 'ada' };
const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];

let releases: TemporaryReleases;
let changes: ReleaseManagement;
beforeEach(async () => {
  releases = createTemporaryReleases();
  changes = releases;
  for (const version of [first, second, third]) await releases.add('mf-legal', version);
});
afterEach(() => releases.remove());

const stateOf = () => releases.copy.stateOf('mf-legal');
const lines = () => releases.copy.changes();
const activate = async (...versions: readonly string[]) => {
  for (const version of versions) await changes.activate('mf-legal', version, by);
};
/** Removes a release from the registry. */
async function lose(version: string, remote = 'mf-legal'): Promise<void> {
  await releases.registry.remove(remote, [version], releases.copy.stateOf(remote).revision);
  await releases.copy.refresh();
}

/** Expects a change to fail with this message, without making it. */
async function expectNothingBut(message: string, change: () => Promise<unknown>): Promise<void> {
  const before = lines();
  await expect(change()).rejects.toThrow(message);
  await releases.copy.refresh();
  expect(lines()).toEqual(before);
}

describe('each change', () => {
  test('is logged with time, releases, reason and operator', async () => {
    await changes.activate('mf-legal', first, { by: 'mirror' });
    await changes.pin('mf-legal', second, by);
    await changes.unpin('mf-legal', by);
    await changes.canary('mf-legal', third, 25, { by: 'ada', why: 'a try' });
    await changes.rollback('mf-legal', by);
    await changes.rollback('mf-legal', by);
    await changes.canary('mf-legal', third, 100, by);
    await changes.rollback('mf-legal', { by: 'ada', why: 'broken' }, second);
    expect(lines().map(({ action, from, to, why, by }) => [action, from, to, why, by])).toEqual([
      ['activate', null, first, 'new release at its origin', 'mirror'],
      ['pin', first, second, 'pinned', 'ada'],
      ['unpin', second, second, 'unpinned', 'ada'],
      ['canary', second, third, 'a try', 'ada'],
      ['rollback', third, second, 'canary ended', 'ada'],
      ['rollback', second, first, 'rolled back', 'ada'],
      ['activate', first, third, 'promoted to all visitors', 'ada'],
      ['rollback', third, second, 'broken', 'ada'],
    ]);
    expect(lines().map(({ revision }) => revision)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(lines()[3]).toMatchObject({ percent: 25 });
  });

  test('is returned as written', async () => {
    expect(await changes.activate('mf-legal', first, by)).toEqual(lines()[0]);
  });

  test('is based on the changes of other servers', async () => {
    await activate(first);
    await releases.openAgain().pin('mf-legal', second, by);
    expect(await changes.unpin('mf-legal', by)).toMatchObject({ from: second, revision: 3 });
  });
});

describe('an unknown remote', () => {
  const attempts: [string, (remote: string) => Promise<unknown>][] = [
    ['activated', (remote) => changes.activate(remote, first, by)],
    ['rolled back', (remote) => changes.rollback(remote, by)],
    ['pinned', (remote) => changes.pin(remote, first, by)],
    ['unpinned', (remote) => changes.unpin(remote, by)],
    ['served as a canary', (remote) => changes.canary(remote, first, 10, by)],
  ];
  test.each(attempts)("can't be %s", async (_what, attempt) => {
    for (const remote of ['mf-lega', '', '__proto__', '../mf-legal'])
      await expectNothingBut(`There is no remote “${remote}”; there are mf-legal, mf-privacy.`, () => attempt(remote));
  });
});

describe('a release that is not stored', () => {
  const attempts: [string, (version: string) => Promise<unknown>][] = [
    ['activated', (version) => changes.activate('mf-legal', version, by)],
    ['the target of a rollback', (version) => changes.rollback('mf-legal', by, version)],
    ['pinned', (version) => changes.pin('mf-legal', version, by)],
    ['served as a canary', (version) => changes.canary('mf-legal', version, 10, by)],
    ['promoted', (version) => changes.canary('mf-legal', version, 100, by)],
  ];
  test.each(attempts)("can't be %s", async (_what, attempt) => {
    await activate(first);
    for (const version of [versionOf(9), '', 'latest', `../mf-legal/${second}`]) {
      await expectNothingBut(`mf-legal has no stored release “${version}”; stored: `, () => attempt(version));
    }
    for (const version of [first, second, third]) await expect(attempt('latest')).rejects.toThrow(version);
  });

  test('is reported if none is stored', async () => {
    await expectNothingBut('mf-privacy has no stored release “1”; stored: none.', () =>
      changes.pin('mf-privacy', '1', by),
    );
  });
});

describe('rollback', () => {
  test('activates the previous release, and the one before that the next time', async () => {
    await activate(first, second, third);
    await changes.rollback('mf-legal', by);
    expect(stateOf()).toMatchObject({ active: second, withdrawn: new Set([third]) });
    await changes.rollback('mf-legal', by);
    expect(stateOf()).toMatchObject({ active: first, withdrawn: new Set([second, third]) });
    await expectNothingBut(
      `mf-legal has no stored release before ${first} that is not withdrawn. To roll back to another stored release, name its version.`,
      () => changes.rollback('mf-legal', by),
    );
  });

  test('skips a release that is no longer stored', async () => {
    await activate(first, second, third);
    await lose(second);
    await changes.rollback('mf-legal', by);
    expect(stateOf().active).toBe(first);
  });

  test('activates the named version', async () => {
    await activate(first, second, third);
    await changes.rollback('mf-legal', by, first);
    expect(stateOf()).toMatchObject({ active: first, withdrawn: new Set([third]) });
    await expectNothingBut(`mf-legal@${first} is active already.`, () => changes.rollback('mf-legal', by, first));
  });

  test('can activate a release that an operator activated before', async () => {
    await activate(first, second);
    await changes.rollback('mf-legal', by);
    await changes.rollback('mf-legal', by, second);
    await activate(third);
    await changes.rollback('mf-legal', by);
    expect(stateOf().active).toBe(second);
  });

  test('of a pinned release needs the version, and does not remove the pin', async () => {
    await activate(first);
    await changes.pin('mf-legal', second, by);
    await expectNothingBut(`mf-legal is pinned to ${second}`, () => changes.rollback('mf-legal', by));
    await changes.rollback('mf-legal', by, first);
    expect(stateOf()).toMatchObject({ active: first, pinned: true });
  });

  test('rolls back a running canary, and does not change the active release', async () => {
    await activate(first, second);
    await changes.canary('mf-legal', third, 10, by);
    await changes.rollback('mf-legal', by);
    expect(stateOf()).toMatchObject({ active: second, withdrawn: new Set([third]) });
    expect(stateOf()).not.toHaveProperty('canary');
  });

  test('fails before the first release', async () => {
    await expectNothingBut('mf-legal has no active release yet; there is nothing to roll back.', () =>
      changes.rollback('mf-legal', by),
    );
  });
});

describe('pin and unpin', () => {
  test('fail without a change', async () => {
    await expectNothingBut('mf-legal is not pinned.', () => changes.unpin('mf-legal', by));
    await changes.pin('mf-legal', first, by);
    await expectNothingBut(`mf-legal is pinned to ${first} already.`, () => changes.pin('mf-legal', first, by));
    await changes.pin('mf-legal', second, by);
    expect(stateOf()).toMatchObject({ active: second, pinned: true });
    await changes.unpin('mf-legal', by);
    await expectNothingBut('mf-legal is not pinned.', () => changes.unpin('mf-legal', by));
  });

  test('can pin the active release', async () => {
    await activate(first);
    await changes.pin('mf-legal', first, by);
    expect(stateOf()).toMatchObject({ active: first, pinned: true });
  });
});

describe('a promoted release', () => {
  const offer = (offered: string) =>
    releases.registry
      .reportOrigin('mf-legal', { address: 'file:/x', offered, problem: null })
      .then(() => releases.copy.refresh());

  test('is not one that the release at the origin would replace at the next poll', async () => {
    await activate(first);
    await activate(third);
    await offer(third);
    await expectNothingBut(
      `The origin of mf-legal offers ${third}, which would soon take the place of ${first}. Activate it, or pin it.`,
      () => changes.canary('mf-legal', first, 100, by),
    );
  });

  test.each([
    ['the release at the origin', () => offer(second)],
    ['held by a pin', () => changes.pin('mf-legal', first, by)],
    ['any other one if the release at the origin was rolled back', () => changes.rollback('mf-legal', by, first)],
  ])('can be %s', async (_what, prepare) => {
    await activate(first);
    await activate(third);
    await offer(third);
    await prepare();
    expect(await changes.canary('mf-legal', second, 100, by)).toMatchObject({ action: 'activate', to: second });
  });
});

describe('a canary', () => {
  test.each([150, 101, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('rejects %p percent', async (percent) => {
    await activate(first);
    await expectNothingBut(`The share of visitors must be a whole number from 0 to 100, not ${percent}.`, () =>
      changes.canary('mf-legal', second, percent, by),
    );
  });

  test.each([1, 99])('accepts %p percent', async (percent) => {
    await activate(first);
    await changes.canary('mf-legal', second, percent, by);
    expect(stateOf()).toMatchObject({ active: first, canary: { version: second, percent } });
  });

  test.each([10, 100])('rejects the active release, with %p percent', async (percent) => {
    await activate(first);
    await expectNothingBut(`mf-legal@${first} is active for all visitors already.`, () =>
      changes.canary('mf-legal', first, percent, by),
    );
  });

  test('needs an active release', async () => {
    await expectNothingBut('mf-legal has no active release yet, which all other visitors would get', () =>
      changes.canary('mf-legal', first, 10, by),
    );
    await changes.canary('mf-legal', first, 100, by);
    expect(stateOf().active).toBe(first);
  });

  test.each([versionOf(9), 'latest', second])("can't be ended if it does not run: %p", async (version) => {
    await activate(first);
    await changes.canary('mf-legal', third, 10, by);
    await expectNothingBut(`No canary of mf-legal@${version} runs.`, () => changes.canary('mf-legal', version, 0, by));
  });

  test('can be ended if its release is lost', async () => {
    await activate(first);
    await changes.canary('mf-legal', second, 10, by);
    await lose(second);
    await changes.canary('mf-legal', second, 0, by);
    expect(stateOf()).toMatchObject({ active: first, withdrawn: new Set([second]) });
    expect(stateOf()).not.toHaveProperty('canary');
  });
});

describe('the paths of a release', () => {
  const claim = { routes: [routeOf('/terms')] };
  const attempts: [string, () => Promise<unknown>][] = [
    ['activated', () => changes.activate('mf-legal', second, by)],
    ['the target of a rollback', () => changes.rollback('mf-legal', by, second)],
    ['pinned', () => changes.pin('mf-legal', second, by)],
    ['served as a canary', () => changes.canary('mf-legal', second, 1, by)],
    ['promoted', () => changes.canary('mf-legal', second, 100, by)],
  ];
  const collision = (owner: string) => `its route /terms belongs to mf-privacy@${owner}`;

  beforeEach(async () => {
    await activate(first);
    await lose(second);
    await releases.add('mf-legal', second, claim);
    await releases.add('mf-privacy', first);
    await releases.add('mf-privacy', second, claim);
    await changes.activate('mf-privacy', first, by);
  });

  test.each(attempts)('can be free when it is %s', async (_what, attempt) => {
    await attempt();
  });

  test.each(attempts)('are rejected if another remote serves them when it is %s', async (_what, attempt) => {
    await changes.activate('mf-privacy', second, by);
    await expectNothingBut(collision(second), attempt);
  });

  test.each(attempts)(
    'are rejected if a canary of another remote serves them when it is %s',
    async (_what, attempt) => {
      await changes.canary('mf-privacy', second, 1, by);
      await expectNothingBut(collision(second), attempt);
    },
  );

  test.each(attempts)(
    "are rejected if the fallback of another remote's lost release serves them when it is %s",
    async (_what, attempt) => {
      await releases.add('mf-privacy', third);
      await changes.activate('mf-privacy', second, by);
      await changes.activate('mf-privacy', third, by);
      await lose(third, 'mf-privacy');
      await expectNothingBut(collision(second), attempt);
    },
  );

  test('are not checked when a canary is ended', async () => {
    await changes.canary('mf-legal', second, 10, by);
    // Possible if two servers decide at the same moment.
    const { revision } = releases.copy.stateOf('mf-privacy');
    const change = {
      remote: 'mf-privacy',
      revision: revision + 1,
      action: 'activate',
      from: first,
      to: second,
    } as const;
    await releases.registry.append({ ...change, why: '', by: 'test' });
    await changes.canary('mf-legal', second, 0, by);
  });

  test('of a removed remote are free', async () => {
    const before = createTemporaryReleases(['mf-legal', 'mf-privacy', 'mf-old'], releases.registry);
    await before.add('mf-old', first, claim);
    await before.activate('mf-old', first, by);
    await changes.activate('mf-legal', second, by);
    before.remove();
  });
});

describe('while the registry can’t be used', () => {
  test('changes fail with the reason', async () => {
    await activate(first);
    releases.registry.read = async () => {
      throw new RegistryError(new Error('connect ECONNREFUSED'));
    };
    await expect(changes.pin('mf-legal', second, by)).rejects.toThrow(
      "The release registry can't be used: connect ECONNREFUSED.",
    );
    expect(stateOf()).toMatchObject({ active: first, pinned: false });
    expect(releases.copy.problem?.message).toContain('ECONNREFUSED');
  });
});
