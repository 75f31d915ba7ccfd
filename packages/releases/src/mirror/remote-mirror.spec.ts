import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Release } from '@daybook/contract/release';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { OriginFailure, type ReleaseOrigin } from '../origins/origin.ts';
import { type PollProblem, RegistryError } from '../registry/release-registry.ts';
import { createTemporaryReleases, type TemporaryReleases, versionOf, wholeRelease } from '../test/release-folder.ts';
import type { MirrorOptions } from './release-intake.ts';
import { RemoteMirror } from './remote-mirror.ts';

const by = { by: 'test' };
const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const signal = new AbortController().signal;
const address = 'http://mf-legal:8080';

/** An origin whose release a test sets. */
class TestOrigin implements ReleaseOrigin {
  readonly address = address;
  text: string | Error = new OriginFailure('missing', 'it responded with 404 for release.json');
  read: ReleaseOrigin['readFile'] = async function* read() {};
  /** The requested files. */
  readonly requested: string[] = [];

  offer(version: string, changes: Partial<Release> = {}, content = version): void {
    this.text = JSON.stringify(wholeRelease('mf-legal', version, changes));
    this.read = async function* read() {
      yield Buffer.from(content);
    };
  }

  async describe(): Promise<string> {
    if (typeof this.text !== 'string') throw this.text;
    return this.text;
  }

  readFile(file: string, stop: AbortSignal): AsyncIterable<Uint8Array> {
    this.requested.push(file);
    return this.read(file, stop);
  }
}

let releases: TemporaryReleases;
let origin: TestOrigin;
let problems: PollProblem[];
let mirror: RemoteMirror;

const createMirror = (on: TemporaryReleases = releases, options: Partial<MirrorOptions> = {}) =>
  new RemoteMirror({
    remote: 'mf-legal',
    origin,
    registry: on.registry,
    copy: on.copy,
    management: on,
    cache: on.cache,
    retained: 3,
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
beforeEach(() => {
  releases = createTemporaryReleases();
  origin = new TestOrigin();
  problems = [];
  mirror = createMirror();
});
afterEach(() => releases.remove());

/** Polls the origin; then reads what any server has changed. */
async function poll(of = mirror): Promise<boolean> {
  const result = await of.poll(signal);
  await releases.copy.refresh();
  return result;
}
const stateOf = () => releases.copy.stateOf('mf-legal');
const retained = () =>
  releases.copy
    .releasesOf('mf-legal')
    .map(({ release }) => release.version)
    .toSorted();
const report = () => releases.copy.originOf('mf-legal');
const orphanedFiles = () => readdirSync(path.join(releases.folder, '.incoming'));

async function take(...versions: readonly string[]) {
  for (const version of versions) {
    origin.offer(version);
    expect(await poll()).toBe(true);
  }
}

describe('a new release', () => {
  test('is stored and activated', async () => {
    await take(first);
    expect(stateOf()).toMatchObject({ active: first, revision: 1 });
    expect(releases.copy.changes()[0]).toMatchObject({ by: 'mirror', why: 'new release at its origin' });
    expect(retained()).toEqual([first]);
    expect(report()).toEqual({ address, offered: first, problem: null, previewProblem: null });
    await take(second);
    expect(stateOf()).toMatchObject({ active: second, revision: 2 });
    expect(problems).toEqual([]);
  });

  test('is fetched once, and later polls change nothing', async () => {
    await take(first);
    const { generation } = releases.copy;
    await take(first, first);
    expect(origin.requested).toHaveLength(1);
    expect(stateOf().revision).toBe(1);
    expect(releases.copy.generation).toBe(generation);
  });

  test('is fetched again if the disk has damaged it, instead of being stored for all servers', async () => {
    await take(first);
    const [entry = ''] = origin.requested;
    // A server with the same cache, after the loss of the registry.
    const restarted = createTemporaryReleases(undefined, undefined, releases.folder);
    expect(restarted.cache.find('mf-legal', first)).toBeDefined();
    writeFileSync(path.join(releases.folder, 'mf-legal', first, entry), first.replace('1', '7'));
    const itsMirror = createMirror(restarted);
    expect(await itsMirror.poll(signal)).toBe(false);
    expect(problems).toEqual([
      { reason: 'internal', message: expect.stringContaining('is damaged in RELEASES_FOLDER') },
    ]);
    expect(await itsMirror.poll(signal)).toBe(true);
    expect(await restarted.registry.readFile('mf-legal', first, entry)).toEqual(Buffer.from(first));
  });

  test('can be an older release that is offered again', async () => {
    await take(first, second, first);
    expect(stateOf().active).toBe(first);
    expect(origin.requested).toHaveLength(2);
  });

  test('is activated even if another server has stored it, or is storing it', async () => {
    await releases.add('mf-legal', first);
    await take(first);
    expect(origin.requested).toEqual([]);
    expect(stateOf().active).toBe(first);
  });

  test('is reported if the registry can be read and not written, such as on a full disk', async () => {
    const { store } = releases.registry;
    releases.registry.store = async () => {
      throw new RegistryError(new Error('could not extend file: No space left on device'));
    };
    origin.offer(first);
    for (let time = 0; time < 2; time += 1) expect(await poll()).toBe(false);
    expect(problems).toEqual([{ reason: 'internal', message: expect.stringContaining('No space left on device') }]);
    expect(report()?.problem).toMatchObject({ reason: 'internal' });
    releases.registry.store = store;
    await take(first);
    expect(report()?.problem).toBeNull();
  });

  test('waits without a report of its own while the registry can’t be used, which its copy reports', async () => {
    const { read } = releases.registry;
    releases.registry.store = async () => {
      releases.registry.read = fail;
      return fail();
    };
    const fail = async () => {
      throw new RegistryError(new Error('connect ECONNREFUSED'));
    };
    origin.offer(first);
    expect(await mirror.poll(signal)).toBe(true);
    releases.registry.read = read;
    expect([problems, releases.problems]).toEqual([[], [expect.stringContaining('ECONNREFUSED')]]);
  });

  test('is no conflict if another server activates it at the same moment', async () => {
    const append = releases.registry.append.bind(releases.registry);
    releases.registry.append = async (change) => {
      releases.registry.append = append;
      await append({ ...change, by: 'another server' });
      return append(change);
    };
    await take(first);
    expect(stateOf()).toMatchObject({ active: first, revision: 1 });
    expect(problems).toEqual([]);
  });
});

describe('a rejected release', () => {
  beforeEach(() => take(first));

  test('is not one that differs from the stored one in commit and author only', async () => {
    origin.offer(first, { commit: '1'.repeat(40), author: 'Ann' });
    expect(await poll()).toBe(true);
  });

  test('is reported once even if a different file fails first each time', async () => {
    const { files } = wholeRelease('mf-legal', second);
    const [described] = Object.values(files);
    const names = ['a.js', 'b.js'];
    origin.offer(second, { entry: 'a.js', files: Object.fromEntries(names.map((name) => [name, described])) as never });
    for (const failing of [...names, ...names]) {
      origin.read = async function* read(file) {
        if (file === failing) throw new OriginFailure('missing', `it responded with 404 for ${file}`);
        yield Buffer.from(second);
      };
      await poll();
    }
    expect(problems).toEqual([{ reason: 'missing', message: 'it responded with 404 for a.js' }]);
  });

  test('is not fetched again at each poll, but after half a minute', async () => {
    origin.offer(second, {}, 'tampered');
    const fetched = origin.requested.length;
    for (let count = 0; count < 3; count += 1) await poll();
    expect(origin.requested).toHaveLength(fetched + 1);
    await take(third);
    expect(stateOf().active).toBe(third);

    mirror = createMirror(releases, { fetchAgainAfter: 0 });
    origin.offer(second, {}, 'tampered');
    await poll();
    origin.offer(second);
    await poll();
    expect(stateOf().active).toBe(second);
  });

  test('is reported for each rejected release, and again after a good one', async () => {
    for (const version of [second, third, second]) {
      origin.offer(version, {}, 'tampered');
      await poll();
    }
    expect(problems).toHaveLength(3);
    await take(third);
    expect(report()).toEqual({ address, offered: third, problem: null, previewProblem: null });
    origin.offer(second, {}, 'tampered');
    await poll();
    expect(problems).toHaveLength(4);
  });

  test('keeps the start time of its problem over a restart', async () => {
    origin.offer(second, {}, 'x');
    await poll();
    const before = report();
    const restarted = createMirror(releases.openAgain());
    await poll(restarted);
    expect(report()).toEqual(before);
    expect(problems).toHaveLength(2);
  });
});

describe('an origin that fails', () => {
  test('is reported once by its failure, and does not affect stored releases', async () => {
    await take(first);
    origin.text = new OriginFailure('unreachable', 'connect ECONNREFUSED');
    expect([await poll(), await poll()]).toEqual([false, false]);
    origin.text = new OriginFailure('timeout', 'it did not respond within 10 s');
    await poll();
    expect(problems.map(({ reason }) => reason)).toEqual(['unreachable', 'timeout']);
    expect(report()).toMatchObject({ offered: null, problem: { reason: 'timeout' } });
    expect(stateOf().active).toBe(first);
  });

  test('in the middle of a release is retried at the next poll', async () => {
    origin.offer(first);
    const { read } = origin;
    origin.read = async function* cutOff() {
      yield Buffer.from('1');
      throw new OriginFailure('unreachable', 'other side closed');
    };
    expect(await poll()).toBe(false);
    expect(orphanedFiles()).toEqual([]);
    origin.read = read;
    expect(await poll()).toBe(true);
    expect(stateOf().active).toBe(first);
  });

  test('to deliver all files in time is aborted', async () => {
    mirror = createMirror(releases, { storeTimeout: 50 });
    origin.offer(first);
    origin.read = async function* drip(_file, stop) {
      for (;;) {
        stop.throwIfAborted();
        yield Buffer.alloc(0);
        await new Promise(setImmediate);
      }
    };
    expect(await poll()).toBe(false);
    expect(problems).toEqual([{ reason: 'timeout', message: 'its files did not all arrive in time' }]);
    expect(orphanedFiles()).toEqual([]);
  });

  test('because the server stops is no problem, and leaves no orphaned files', async () => {
    const controller = new AbortController();
    origin.offer(first);
    origin.read = async function* read(_file, stop) {
      yield Buffer.from('1');
      controller.abort();
      stop.throwIfAborted();
    };
    expect(await mirror.poll(controller.signal)).toBe(false);
    expect(problems).toEqual([]);
    expect(orphanedFiles()).toEqual([]);
    expect(stateOf().active).toBeUndefined();
  });
});

describe('a disk that fails', () => {
  test.each([
    ['ENOSPC', 'disk-full', /is full; free some space/],
    ['EDQUOT', 'disk-full', /is full; free some space/],
    ['EROFS', 'read-only', /can’t be written/],
    ['EACCES', 'read-only', /can’t be written/],
    ['EIO', 'internal', /^disk$/],
  ])('with %s is reported as %s', async (code, reason, message) => {
    origin.offer(first);
    origin.read = () => {
      throw Object.assign(new Error('disk'), { code });
    };
    await poll();
    await poll();
    expect(problems).toEqual([{ reason, message: expect.stringMatching(message) }]);
  });
});

describe('a pinned remote or one with a canary', () => {
  const holds: [string, () => unknown][] = [
    ['pinned', () => releases.pin('mf-legal', first, by)],
    ['served as a canary', () => releases.canary('mf-legal', second, 10, by)],
  ];

  test.each(holds)('stores newer releases without activating them while it is %s', async (_what, hold) => {
    await take(first);
    await releases.add('mf-legal', second);
    await hold();
    await take(third);
    expect(retained()).toEqual([first, second, third]);
    expect(stateOf().active).toBe(first);
    expect(report()).toEqual({ address, offered: third, problem: null, previewProblem: null });
    expect(origin.requested).toHaveLength(2);
  });

  test('activates the release at its origin again when it is unpinned', async () => {
    await take(first);
    await releases.pin('mf-legal', first, by);
    await take(second);
    await releases.openAgain().unpin('mf-legal', by);
    await take(second);
    expect(stateOf().active).toBe(second);
  });

  test('does not automatically activate a release that an operator rolled back', async () => {
    await take(first, second);
    await releases.openAgain().rollback('mf-legal', by);
    await take(second);
    expect(stateOf().active).toBe(first);
    const restarted = createMirror(releases.openAgain());
    await poll(restarted);
    expect(stateOf().active).toBe(first);
    await take(third);
    expect(stateOf().active).toBe(third);
  });
});

describe('a canary that was not promoted', () => {
  const drops: [string, () => unknown][] = [
    ['by a rollback of the active release', () => releases.rollback('mf-legal', by, first)],
    [
      'by another canary that is ended',
      async () => {
        await releases.canary('mf-legal', first, 5, by);
        await releases.canary('mf-legal', first, 0, by);
      },
    ],
    [
      'by a pin that is removed',
      async () => {
        await releases.pin('mf-legal', first, by);
        await releases.unpin('mf-legal', by);
      },
    ],
    ['by its end', () => releases.canary('mf-legal', third, 0, by)],
  ];

  test.each(drops)('stays inactive while its origin offers it, dropped %s', async (_what, drop) => {
    await take(first, second, third);
    await releases.rollback('mf-legal', by);
    await releases.canary('mf-legal', third, 5, by);
    await drop();
    const { active } = stateOf();
    await take(third);
    expect(stateOf().active).toBe(active);
  });

  test('is activated automatically again once it was promoted', async () => {
    await take(first, second);
    await releases.rollback('mf-legal', by);
    await releases.canary('mf-legal', second, 5, by);
    await releases.canary('mf-legal', second, 100, by);
    await take(third, second);
    expect(stateOf().active).toBe(second);
  });
});

describe('the retained releases', () => {
  const versions = [1, 2, 3, 4, 5, 6].map(versionOf);

  test('are the most recent ones', async () => {
    await take(...versions);
    expect(retained()).toEqual(versions.slice(3));
  });

  test('include none of another contract that is neither recent nor in use', async () => {
    await releases.add('mf-legal', versionOf(9), { contract: 99 });
    const stored = () => releases.copy.listed('mf-legal').map(({ version }) => version);
    await take(...versions.slice(0, 2));
    expect(stored()).toContain(versionOf(9));
    await take(...versions.slice(2, 4));
    expect(stored()).toEqual(versions.slice(1, 4));
  });

  test('include the pinned, the previous and the offered release, however old', async () => {
    await take(first, second);
    await releases.pin('mf-legal', first, by);
    await take(...versions.slice(2));
    expect(retained()).toEqual([first, second, versionOf(6)]);
    await take(versionOf(6));
    expect(origin.requested).toHaveLength(6);
  });

  test('include the canary', async () => {
    await take(first, second);
    await releases.canary('mf-legal', first, 10, by);
    await take(...versions.slice(2));
    expect(retained()).toEqual([first, second, versionOf(6)]);
  });

  test('include the new release even if the clock went back', async () => {
    await take(first, second, third);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
    const restarted = createMirror(releases.openAgain());
    origin.offer(versionOf(4));
    expect(await poll(restarted)).toBe(true);
    clock.mockRestore();
    expect(stateOf().active).toBe(versionOf(4));
    expect(retained()).toContain(versionOf(4));
    expect(retained()).toContain(third);
    expect(retained()).toHaveLength(3);
  });
});
