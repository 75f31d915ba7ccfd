import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTemporaryReleases, type TemporaryReleases, versionOf, wholeRelease } from '../test/release-folder.ts';
import { routeOf } from '../test/temporary-site.ts';
import { writeOriginReport } from './mirror/origin-report.ts';
import { ReleaseManagement } from './release-management.ts';

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

const stateOf = () => releases.openAgain().log.stateOf('mf-legal');
const lines = () => releases.openAgain().log.changes();
const activate = (...versions: readonly string[]) => {
  for (const version of versions) changes.activate('mf-legal', version, by);
};
const lose = (version: string) => rmSync(path.join(releases.folder, 'mf-legal', version), { recursive: true });

/** Expects a change to fail with this message, without writing anything. */
function expectNothingBut(message: string, change: () => unknown): void {
  const before = lines();
  expect(change).toThrow(message);
  expect(lines()).toEqual(before);
}

describe('each change', () => {
  test('is a line of the log with time, releases, reason and operator', () => {
    changes.activate('mf-legal', first, { by: 'mirror' });
    changes.pin('mf-legal', second, by);
    changes.unpin('mf-legal', by);
    changes.canary('mf-legal', third, 25, { by: 'ada', why: 'a try' });
    changes.rollback('mf-legal', by);
    changes.rollback('mf-legal', by);
    changes.canary('mf-legal', third, 100, by);
    changes.rollback('mf-legal', { by: 'ada', why: 'broken' }, second);
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

  test('is returned as written', () => {
    expect(changes.activate('mf-legal', first, by)).toEqual(lines()[0]);
  });

  test('is based on the changes of other processes', () => {
    activate(first);
    releases.openAgain().pin('mf-legal', second, by);
    expect(changes.unpin('mf-legal', by)).toMatchObject({ from: second, revision: 3 });
  });
});

describe('an unknown remote', () => {
  const attempts: [string, (remote: string) => unknown][] = [
    ['activated', (remote) => changes.activate(remote, first, by)],
    ['rolled back', (remote) => changes.rollback(remote, by)],
    ['pinned', (remote) => changes.pin(remote, first, by)],
    ['unpinned', (remote) => changes.unpin(remote, by)],
    ['served as a canary', (remote) => changes.canary(remote, first, 10, by)],
  ];
  test.each(attempts)("can't be %s", (_what, attempt) => {
    for (const remote of ['mf-lega', '', '__proto__', '../mf-legal'])
      expectNothingBut(`There is no remote “${remote}”; there are mf-legal, mf-privacy.`, () => attempt(remote));
  });
});

describe('a release that is not stored', () => {
  const attempts: [string, (version: string) => unknown][] = [
    ['activated', (version) => changes.activate('mf-legal', version, by)],
    ['the target of a rollback', (version) => changes.rollback('mf-legal', by, version)],
    ['pinned', (version) => changes.pin('mf-legal', version, by)],
    ['served as a canary', (version) => changes.canary('mf-legal', version, 10, by)],
    ['promoted', (version) => changes.canary('mf-legal', version, 100, by)],
  ];
  test.each(attempts)("can't be %s", (_what, attempt) => {
    activate(first);
    for (const version of [versionOf(9), '', 'latest', `../mf-legal/${second}`]) {
      expectNothingBut(`mf-legal has no stored release “${version}”; stored: `, () => attempt(version));
    }
    for (const version of [first, second, third]) expect(() => attempt('latest')).toThrow(version);
  });

  test('is reported if none is stored', () => {
    expectNothingBut('mf-privacy has no stored release “1”; stored: none.', () => changes.pin('mf-privacy', '1', by));
  });

  test("can't be activated if it is damaged", () => {
    rmSync(path.join(releases.folder, 'mf-legal', third, wholeRelease('mf-legal', third).entry));
    expectNothingBut(`mf-legal has no stored release “${third}”`, () => activate(third));
  });
});

describe('rollback', () => {
  test('activates the previous release, and the one before that the next time', () => {
    activate(first, second, third);
    changes.rollback('mf-legal', by);
    expect(stateOf()).toMatchObject({ active: second, withdrawn: new Set([third]) });
    changes.rollback('mf-legal', by);
    expect(stateOf()).toMatchObject({ active: first, withdrawn: new Set([second, third]) });
    expectNothingBut(`mf-legal has no stored release before ${first}; there is nothing to roll back to.`, () =>
      changes.rollback('mf-legal', by),
    );
  });

  test('skips a release that is no longer stored', () => {
    activate(first, second, third);
    lose(second);
    changes.rollback('mf-legal', by);
    expect(stateOf().active).toBe(first);
  });

  test('activates the named version', () => {
    activate(first, second, third);
    changes.rollback('mf-legal', by, first);
    expect(stateOf()).toMatchObject({ active: first, withdrawn: new Set([third]) });
    expectNothingBut(`mf-legal@${first} is active already.`, () => changes.rollback('mf-legal', by, first));
  });

  test('can activate a release that an operator activated before', () => {
    activate(first, second);
    changes.rollback('mf-legal', by);
    changes.rollback('mf-legal', by, second);
    activate(third);
    changes.rollback('mf-legal', by);
    expect(stateOf().active).toBe(second);
  });

  test('of a pinned release needs the version, and does not remove the pin', () => {
    activate(first);
    changes.pin('mf-legal', second, by);
    expectNothingBut(`mf-legal is pinned to ${second}`, () => changes.rollback('mf-legal', by));
    changes.rollback('mf-legal', by, first);
    expect(stateOf()).toMatchObject({ active: first, pinned: true });
  });

  test('rolls back a running canary, and does not change the active release', () => {
    activate(first, second);
    changes.canary('mf-legal', third, 10, by);
    changes.rollback('mf-legal', by);
    expect(stateOf()).toMatchObject({ active: second, withdrawn: new Set([third]) });
    expect(stateOf()).not.toHaveProperty('canary');
  });

  test('fails before the first release', () => {
    expectNothingBut('mf-legal has no active release yet; there is nothing to roll back.', () =>
      changes.rollback('mf-legal', by),
    );
  });
});

describe('pin and unpin', () => {
  test('fail without a change', () => {
    expectNothingBut('mf-legal is not pinned.', () => changes.unpin('mf-legal', by));
    changes.pin('mf-legal', first, by);
    expectNothingBut(`mf-legal is pinned to ${first} already.`, () => changes.pin('mf-legal', first, by));
    changes.pin('mf-legal', second, by);
    expect(stateOf()).toMatchObject({ active: second, pinned: true });
    changes.unpin('mf-legal', by);
    expectNothingBut('mf-legal is not pinned.', () => changes.unpin('mf-legal', by));
  });

  test('can pin the active release', () => {
    activate(first);
    changes.pin('mf-legal', first, by);
    expect(stateOf()).toMatchObject({ active: first, pinned: true });
  });
});

describe('a promoted release', () => {
  const offer = (offered: string) =>
    writeOriginReport(releases.folder, 'mf-legal', { address: 'file:/x', offered, problem: null });

  test('is not one that the release at the origin would replace at the next poll', () => {
    activate(first);
    activate(third);
    offer(third);
    expectNothingBut(
      `The origin of mf-legal offers ${third}, which would soon take the place of ${first}. Roll back to it, or pin it.`,
      () => changes.canary('mf-legal', first, 100, by),
    );
  });

  test.each([
    ['the release at the origin', () => offer(second)],
    ['held by a pin', () => changes.pin('mf-legal', first, by)],
    ['any other one if the release at the origin was rolled back', () => changes.rollback('mf-legal', by, first)],
  ])('can be %s', (_what, prepare) => {
    activate(first);
    activate(third);
    offer(third);
    prepare();
    expect(changes.canary('mf-legal', second, 100, by)).toMatchObject({ action: 'activate', to: second });
  });
});

describe('a canary', () => {
  test.each([150, 101, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('rejects %p percent', (percent) => {
    activate(first);
    expectNothingBut(`The share of visitors must be a whole number from 0 to 100, not ${percent}.`, () =>
      changes.canary('mf-legal', second, percent, by),
    );
  });

  test.each([1, 99])('accepts %p percent', (percent) => {
    activate(first);
    changes.canary('mf-legal', second, percent, by);
    expect(stateOf()).toMatchObject({ active: first, canary: { version: second, percent } });
  });

  test.each([10, 100])('rejects the active release, with %p percent', (percent) => {
    activate(first);
    expectNothingBut(`mf-legal@${first} is active for all visitors already.`, () =>
      changes.canary('mf-legal', first, percent, by),
    );
  });

  test('needs an active release', () => {
    expectNothingBut('mf-legal has no active release yet, which all other visitors would get', () =>
      changes.canary('mf-legal', first, 10, by),
    );
    changes.canary('mf-legal', first, 100, by);
    expect(stateOf().active).toBe(first);
  });

  test.each([versionOf(9), 'latest', second])("can't be ended if it does not run: %p", (version) => {
    activate(first);
    changes.canary('mf-legal', third, 10, by);
    expectNothingBut(`No canary of mf-legal@${version} runs.`, () => changes.canary('mf-legal', version, 0, by));
  });

  test('can be ended if its release is lost', () => {
    activate(first);
    changes.canary('mf-legal', second, 10, by);
    lose(second);
    changes.canary('mf-legal', second, 0, by);
    expect(stateOf()).toMatchObject({ active: first, withdrawn: new Set([second]) });
    expect(stateOf()).not.toHaveProperty('canary');
  });
});

describe('the paths of a release', () => {
  const claim = { routes: [routeOf('/terms')] };
  const attempts: [string, () => unknown][] = [
    ['activated', () => changes.activate('mf-legal', second, by)],
    ['the target of a rollback', () => changes.rollback('mf-legal', by, second)],
    ['pinned', () => changes.pin('mf-legal', second, by)],
    ['served as a canary', () => changes.canary('mf-legal', second, 1, by)],
    ['promoted', () => changes.canary('mf-legal', second, 100, by)],
  ];
  const collision = (owner: string) => `its route /terms belongs to mf-privacy@${owner}`;

  beforeEach(async () => {
    activate(first);
    lose(second);
    await releases.add('mf-legal', second, claim);
    await releases.add('mf-privacy', first);
    await releases.add('mf-privacy', second, claim);
    changes.activate('mf-privacy', first, by);
  });

  test.each(attempts)('can be free when it is %s', (_what, attempt) => {
    expect(attempt).not.toThrow();
  });

  test.each(attempts)('are rejected if another remote serves them when it is %s', (_what, attempt) => {
    changes.activate('mf-privacy', second, by);
    expectNothingBut(collision(second), attempt);
  });

  test.each(attempts)('are rejected if a canary of another remote serves them when it is %s', (_what, attempt) => {
    changes.canary('mf-privacy', second, 1, by);
    expectNothingBut(collision(second), attempt);
  });

  test.each(attempts)(
    "are rejected if the fallback of another remote's lost release serves them when it is %s",
    async (_what, attempt) => {
      await releases.add('mf-privacy', third);
      changes.activate('mf-privacy', second, by);
      changes.activate('mf-privacy', third, by);
      rmSync(path.join(releases.folder, 'mf-privacy', third), { recursive: true });
      expectNothingBut(collision(second), attempt);
    },
  );

  test('are not checked when a canary is ended', () => {
    changes.canary('mf-legal', second, 10, by);
    // Possible with two servers on one folder.
    releases.log.append({ remote: 'mf-privacy', action: 'activate', from: first, to: second, why: '', by: 'test' });
    expect(() => changes.canary('mf-legal', second, 0, by)).not.toThrow();
  });

  test('of a removed remote are free', async () => {
    const before = new ReleaseManagement(releases.folder, ['mf-legal', 'mf-privacy', 'mf-old'], () => undefined);
    await releases.add('mf-old', first, claim);
    before.activate('mf-old', first, by);
    expect(() => changes.activate('mf-legal', second, by)).not.toThrow();
  });
});

test("names RELEASES_FOLDER in the error if the folder can't be opened", () => {
  const file = path.join(releases.folder, 'log.jsonl');
  activate(first);
  expect(() => new ReleaseManagement(file, [], () => undefined)).toThrow(
    /^The releases folder .*log\.jsonl can't be read: ENOTDIR.* Set RELEASES_FOLDER to one that can\.$/,
  );
});
