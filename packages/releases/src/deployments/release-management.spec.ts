import { routeOf, versionOf } from '@daybook/testing/releases';
import { createTemporaryReleases, type TemporaryReleases } from '@daybook/testing/temporary-releases';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ConflictError, RegistryError } from '../registry/release-registry.ts';
import type { Audience, Deployment } from '../registry/remote-state.ts';
import { boundBy, logWordsSchema, parsePercent } from './deployment-request.ts';

const by = { by: 'ada' };
const remote = 'mf-legal';
const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const link = { tokenHash: 'a', endsAt: '2099-12-02T10:00:00.000Z' };

let releases: TemporaryReleases;
beforeEach(async () => {
  releases = createTemporaryReleases();
  for (const version of [first, second, third]) await releases.add(remote, version);
});
afterEach(() => releases.remove());

const stateOf = () => releases.snapshot().stateOf(remote);
const activate = async (...versions: readonly string[]) => {
  for (const version of versions) await releases.activate(remote, version, by);
};
/** Removes a release from the registry. */
async function lose(version: string, name = remote): Promise<void> {
  await releases.registry.remove(name, [version], releases.snapshot().stateOf(name).number);
  await releases.live.refresh();
}

/** Expects a deployment to fail with this message, which has releases by their numbers, without making it. */
async function expectNothingBut(message: string, deploy: () => Promise<unknown>): Promise<void> {
  const before = releases.snapshot().deployments();
  const error = await deploy().catch((thrown: Error) => thrown);
  expect(byNumbers((error as Error).message)).toBe(message);
  await releases.live.refresh();
  expect(releases.snapshot().deployments()).toEqual(before);
}

type Deploy = (remote: string, version: string) => Promise<unknown>;

/** Deployments that give a release to visitors. */
const serving: Readonly<Record<string, Deploy>> = {
  activated: (name, version) => releases.activate(name, version, by),
  'the target of a rollback': (name, version) => releases.rollback(name, by, version),
  'offered to a share': (name, version) => releases.offer(name, version, { percent: 10 }, by),
  'offered by a link': (name, version) => releases.offer(name, version, link, by),
};

describe('each deployment', () => {
  test('is logged with time, release, reason and operator, and returned', async () => {
    const made = [
      await releases.activate(remote, first, { by: 'team', why: 'a new section' }),
      await releases.hold(remote, by),
      await releases.activate(remote, second, by),
      await releases.lift(remote, by),
      await releases.offer(remote, third, { percent: 25 }, { by: 'ada', why: 'a try' }),
      await releases.end(remote, by),
      await releases.offer(remote, third, link, by),
      await releases.end(remote, by, 'preview'),
      await releases.rollback(remote, { by: 'ada', why: 'broken' }),
    ];
    const log = releases.snapshot().deployments();
    expect(log.map(({ at: _, remote: __, number: ___, ...rest }) => rest)).toEqual([
      { action: 'activate', version: first, why: 'a new section', by: 'team' },
      { action: 'hold', why: 'held', ...by },
      { action: 'activate', version: second, why: 'activated', ...by },
      { action: 'lift', why: 'lifted', ...by },
      { action: 'offer', audience: 'canary', percent: 25, version: third, why: 'a try', ...by },
      { action: 'end', audience: 'canary', version: third, why: 'canary ended', ...by },
      { action: 'offer', audience: 'preview', ...link, version: third, why: 'preview', ...by },
      { action: 'end', audience: 'preview', version: third, why: 'preview ended', ...by },
      { action: 'activate', version: first, left: second, why: 'broken', ...by },
    ]);
    expect(made).toEqual(log);
    expect(made.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('is based on those of other servers, and rejected if its author has not seen them', async () => {
    await activate(first);
    await releases.openAgain().hold(remote, by);
    await expect(releases.lift(remote, { ...by, seen: 1 })).rejects.toThrow('has been changed in the meantime');
    expect(await releases.lift(remote, { ...by, seen: 2 })).toMatchObject({ action: 'lift', number: 3 });
  });

  test('of two with the same number one is made', async () => {
    await activate(first, second);
    const other = releases.openAgain();
    const both = await Promise.allSettled([
      releases.activate(remote, third, { ...by, seen: 2 }),
      other.rollback(remote, { ...by, seen: 2 }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: expect.any(ConflictError) });
    await releases.live.refresh();
    expect(stateOf().number).toBe(3);
  });

  test('of an unknown remote is rejected', async () => {
    const others: Deploy[] = [
      (name) => releases.rollback(name, by),
      (name) => releases.end(name, by),
      (name) => releases.hold(name, by),
      (name) => releases.lift(name, by),
    ];
    for (const deploy of [...Object.values(serving), ...others])
      for (const name of ['mf-lega', '', '__proto__', '../mf-legal'])
        await expectNothingBut(`There is no remote “${name}”; there are mf-legal, mf-privacy.`, () =>
          deploy(name, first),
        );
  });

  test('fails with the reason while the registry can’t be used', async () => {
    await activate(first);
    releases.registry.read = async () => {
      throw new RegistryError(new Error('connect ECONNREFUSED'));
    };
    await expect(releases.hold(remote, by)).rejects.toThrow(
      "The release registry can't be used: connect ECONNREFUSED.",
    );
    expect([stateOf().active, stateOf().heldBy]).toEqual([first, undefined]);
  });

  test('of a release that is not stored is rejected with those that are', async () => {
    await activate(first);
    await lose(third);
    await lose(second);
    for (const deploy of Object.values(serving))
      for (const version of [third, '', 'latest', `../mf-legal/${first}`])
        await expectNothingBut(`mf-legal has no stored release “${byNumbers(version)}”; stored: 1.`, () =>
          deploy(remote, version),
        );
    await lose(first);
    await expectNothingBut('mf-legal has no stored release “3”; stored: none.', () =>
      releases.activate(remote, third, by),
    );
  });
});

/** Makes deployments such as `offer 2 10`; returns the last one, with releases by their numbers. */
async function make(log: string): Promise<string> {
  let last: unknown;
  for (const each of log.split(', ')) {
    const [action = '', word, percent] = each.split(' ');
    const version = versionOf(Number(word));
    const steps: Readonly<Record<string, () => Promise<unknown>>> = {
      activate: () => releases.activate(remote, version, by),
      rollback: () => releases.rollback(remote, by, word && version),
      offer: () => releases.offer(remote, version, { percent: Number(percent) }, by),
      preview: () => releases.offer(remote, version, link, by),
      end: () => releases.end(remote, by, word as Audience),
      hold: () => releases.hold(remote, by),
      lift: () => releases.lift(remote, by),
      lose: () => lose(version),
    };
    last = await steps[action]?.();
  }
  const { action, version = '', left, audience } = (last ?? {}) as Partial<Deployment>;
  return byNumbers([action, audience, version, left && `left ${left}`].filter(Boolean).join(' '));
}
const byNumbers = (text: string) => text.replaceAll(/1\.0\.(\d)-0{7}\1/g, '$1');

describe('a deployment is made', () => {
  test.each([
    ['activate 1, activate 2, activate 3, rollback', 'activate 2 left 3'],
    ['activate 1, activate 2, activate 3, rollback, rollback', 'activate 1 left 2'],
    ['activate 1, activate 2, activate 3, lose 2, rollback', 'activate 1 left 3'],
    // A release that a rollback left is the previous one again once somebody activates it on purpose.
    ['activate 1, activate 2, rollback, activate 2, activate 3, rollback', 'activate 2 left 3'],
    ['activate 1, activate 2, activate 3, rollback 1', 'activate 1 left 3'],
    ['activate 1, activate 2, rollback, activate 2, rollback 1', 'activate 1 left 2'],
    ['activate 1, activate 2, offer 3 10, rollback', 'activate 1 left 2'],
    ['activate 1, activate 2, preview 1, rollback', 'activate 1 left 2'],
    ['activate 1, activate 2, offer 1 10, rollback', 'activate 1 left 2'],
    ['activate 1, hold, activate 2, rollback', 'activate 1 left 2'],
    ['hold, activate 1', 'activate 1'],
    ['activate 1, offer 2 1', 'offer canary 2'],
    ['activate 1, offer 2 10, offer 3 99', 'offer canary 3'],
    ['preview 1', 'offer preview 1'],
    ['activate 1, offer 2 10, end', 'end canary 2'],
    ['activate 1, preview 2, end', 'end preview 2'],
    ['activate 1, offer 2 10, preview 3, end canary', 'end canary 2'],
    ['activate 1, offer 2 10, lose 2, end', 'end canary 2'],
    ['hold', 'hold'],
    ['hold, lift', 'lift'],
  ])('%s: %s', async (log, made) => {
    expect(await make(log)).toBe(made);
  });

  const share = (percent: string) =>
    `The share of visitors must be a whole number from 1 to 99, not ${percent}. To give a release to all, activate it; to none, end its canary.`;
  test.each([
    ['', 'rollback', 'mf-legal has no active release yet; there is nothing to roll back.'],
    [
      'activate 1, activate 2, rollback',
      'rollback',
      'mf-legal has no stored release that was active before 1 and that no rollback left. To give visitors another stored release, activate it.',
    ],
    [
      'activate 1, activate 2, rollback',
      'rollback 2',
      'mf-legal@2 was rolled back, so it is no target of a rollback. To give it to visitors, activate it.',
    ],
    [
      'activate 1, offer 2 10',
      'rollback 2',
      'mf-legal@2 was never active, so it is no target of a rollback. To give it to visitors, activate it.',
    ],
    ...['activate 1', 'rollback 1', 'preview 1', 'offer 1 10'].map(
      (deployment) => ['activate 1', deployment, 'mf-legal@1 is active for all visitors already.'] as const,
    ),
    ['', 'lift', 'mf-legal is not held.'],
    ['hold', 'hold', 'mf-legal is held already, by ada.'],
    ['activate 1', 'end', 'mf-legal has no canary or preview to end.'],
    ['activate 1, offer 2 10', 'end preview', 'mf-legal has no preview to end.'],
    ['activate 1, offer 2 10, activate 2', 'end canary', 'mf-legal has no canary to end.'],
    ['activate 1, offer 2 10, preview 3', 'end', 'mf-legal has a canary and a preview; say which of them to end.'],
    ['', 'offer 1 10', 'mf-legal has no active release yet, which all other visitors would get; activate one first.'],
    ...['150', '100', '0', '-1', '0.5', 'NaN', 'Infinity'].map(
      (percent) => ['activate 1', `offer 2 ${percent}`, share(percent)] as const,
    ),
  ])('after %j, but not %s: %s', async (before, deployment, message) => {
    if (before) await make(before);
    await expectNothingBut(message, () => make(deployment));
  });
});

test('a hold of a team can be lifted by operators, or made theirs, which binds the team; theirs is held already', async () => {
  const team = { by: 'team of mf-legal (key abcdefgh…)' };
  await activate(first);
  await releases.hold(remote, team);
  expect(boundBy(stateOf(), 'lift')).toBeUndefined();
  await expectNothingBut(`mf-legal is held already, by ${team.by}.`, () => releases.hold(remote, team));
  await releases.hold(remote, by);
  expect(['activate', 'offer', 'lift', 'rollback', 'end', 'hold'].map((action) => boundBy(stateOf(), action))).toEqual([
    ...['ada', 'ada', 'ada'],
    ...[undefined, undefined, undefined],
  ]);
  for (const other of [team, { by: 'bob' }])
    await expectNothingBut('mf-legal is held already, by ada.', () => releases.hold(remote, other));
  await releases.lift(remote, by);
  await releases.hold(remote, team);
  await releases.lift(remote, by);
  expect(stateOf().heldBy).toBeUndefined();
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
    await activate(second);
  });

  test.each<[string, () => unknown]>([
    ['another remote', () => releases.activate('mf-privacy', second, by)],
    ['a canary of another remote', () => releases.offer('mf-privacy', second, { percent: 1 }, by)],
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
    for (const deploy of Object.values(serving)) await expectNothingBut(message, () => deploy(remote, second));
  });

  test('are not checked when a canary is ended', async () => {
    await releases.offer(remote, second, { percent: 10 }, by);
    // Possible if two servers decide at the same moment.
    const { number } = releases.snapshot().stateOf('mf-privacy');
    const deployment = { action: 'activate', version: second, why: '', by: 'test' } as const;
    await releases.registry.append({ ...deployment, remote: 'mf-privacy', number: number + 1 });
    await releases.end(remote, by);
  });
});

test.each([
  ['1', 1],
  ['5%', 5],
  [' 99 % ', 99],
])('the share of visitors %j is %p', (text, percent) => {
  expect(parsePercent(text)).toBe(percent);
});

test.each(['150', '100', '0', '-5', 'many', ' ', '', '%', '0x10', '1.5', '1e1'])(
  '%j is no share of visitors',
  (text) => {
    expect(() => parsePercent(text)).toThrow(
      `The share of visitors must be a whole number from 1 to 99, not “${text}”.`,
    );
  },
);

test('text for the log is one line of at most 200 characters, without control characters', () => {
  const schema = logWordsSchema('a reason');
  expect(schema.parse(' Ann\u001b[2J\r\n\theading\u0000 \u202e! ')).toBe('Ann [2J heading !');
  expect(schema.parse('a'.repeat(200))).toHaveLength(200);
  expect(() => schema.parse('a'.repeat(201))).toThrow('Write a reason of at most 200 characters.');
});
