import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Release } from '@daybook/contract/release';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { OriginFailure, type ReleaseOrigin } from '../origins/origin.ts';
import { RegistryError } from '../registry/release-registry.ts';
import { fakeClock } from '../test/fake-clock.ts';
import { createTemporaryReleases, type TemporaryReleases, versionOf, wholeRelease } from '../test/release-folder.ts';
import { RemoteMirror } from './remote-mirror.ts';

const by = { by: 'test' };
const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const signal = new AbortController().signal;
const address = 'http://mf-legal:8080';

/** An origin whose release a test sets. */
class TestOrigin implements ReleaseOrigin {
  readonly address = address;
  text: string | Error = '';
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
let problems: TemporaryReleases['pollProblems'];
let origin: TestOrigin;
let mirror: RemoteMirror;
const createMirror = (on = releases) => new RemoteMirror(on.mirrorOptions(origin));
beforeEach(() => {
  releases = createTemporaryReleases();
  problems = releases.pollProblems;
  origin = new TestOrigin();
  mirror = createMirror();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  releases.remove();
});

/** Polls the origin; then reads what any server has changed. */
async function poll(of = mirror, stop = signal): Promise<boolean> {
  const result = await of.poll(stop);
  await releases.copy.refresh();
  return result;
}
const stateOf = () => releases.copy.stateOf('mf-legal');
const stored = () =>
  releases.copy
    .listed('mf-legal')
    .map(({ version }) => version)
    .toSorted();
const report = () => releases.copy.originOf('mf-legal');

async function take(...versions: readonly string[]) {
  for (const version of versions) {
    origin.offer(version);
    expect(await poll()).toBe(true);
  }
}

describe('a new release', () => {
  test('is stored, fetched and activated once: later polls change nothing, nor does an older one that is offered again', async () => {
    await take(first);
    expect(stateOf()).toMatchObject({ active: first, number: 1 });
    expect(releases.copy.deployments()[0]).toMatchObject({ by: 'mirror', why: 'new release at its origin' });
    expect([stored(), report()]).toEqual([[first], { address, offered: first, problem: null, previewProblem: null }]);
    const { generation } = releases.copy;
    await take(first, first);
    expect([origin.requested.length, stateOf().number, releases.copy.generation]).toEqual([1, 1, generation]);
    await take(second, first);
    expect(stateOf()).toMatchObject({ active: second, number: 2 });
    expect([origin.requested.length, problems]).toEqual([2, []]);
    // Equal releases may come from different commits.
    origin.offer(first, { commit: '1'.repeat(40), author: 'Ann' });
    expect(await poll()).toBe(true);
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
    expect(restarted.pollProblems).toEqual([
      { reason: 'internal', message: expect.stringContaining('is damaged in RELEASES_FOLDER') },
    ]);
    expect(await itsMirror.poll(signal)).toBe(true);
    expect(await restarted.registry.readFile('mf-legal', first, entry)).toEqual(Buffer.from(first));
  });

  test('is activated, and not fetched, if another server has stored it', async () => {
    await releases.add('mf-legal', first);
    await take(first);
    expect([origin.requested, stateOf().active]).toEqual([[], first]);
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
    const fail = async () => {
      throw new RegistryError(new Error('connect ECONNREFUSED'));
    };
    releases.registry.store = async () => {
      releases.registry.read = fail;
      return fail();
    };
    origin.offer(first);
    expect(await mirror.poll(signal)).toBe(true);
    expect([problems, releases.problems]).toEqual([[], [expect.stringContaining('ECONNREFUSED')]]);
  });

  test('is no conflict if another server activates it at the same moment', async () => {
    const append = releases.registry.append.bind(releases.registry);
    releases.registry.append = async (deployment) => {
      releases.registry.append = append;
      await append({ ...deployment, by: 'another server' });
      return append(deployment);
    };
    await take(first);
    expect(stateOf()).toMatchObject({ active: first, number: 1 });
    expect(problems).toEqual([]);
  });
});

describe('a rejected release', () => {
  beforeEach(() => take(first));

  test('is reported once even if a different file fails first each time', async () => {
    const [described] = Object.values(wholeRelease('mf-legal', second).files);
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
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    origin.offer(second, {}, 'tampered');
    const fetched = origin.requested.length;
    for (const later of [0, 1, 29_999]) {
      now.mockReturnValue(later);
      await poll();
    }
    expect(origin.requested).toHaveLength(fetched + 1);
    await take(third);
    expect(stateOf().active).toBe(third);
    origin.offer(second);
    expect(await poll()).toBe(true);
    now.mockReturnValue(30_000);
    await poll();
    expect(stateOf().active).toBe(second);
  });

  test('is reported for each rejected release, and again after a good one; its problem begins once', async () => {
    for (const version of [second, third, second]) {
      origin.offer(version, {}, 'tampered');
      await poll();
    }
    expect(problems).toHaveLength(3);
    const before = report();
    await poll(createMirror(releases.openAgain()));
    expect(report()).toEqual(before);
    expect(problems).toHaveLength(4);
    await take(third);
    expect(report()).toEqual({ address, offered: third, problem: null, previewProblem: null });
    origin.offer(second, {}, 'tampered');
    await poll();
    expect(problems).toHaveLength(5);
  });
});

test('each failure of an origin is reported once, and does not affect stored releases', async () => {
  await take(first);
  origin.text = new OriginFailure('unreachable', 'connect ECONNREFUSED');
  expect([await poll(), await poll()]).toEqual([false, false]);
  origin.text = new OriginFailure('timeout', 'it did not respond within 10 s');
  await poll();
  expect(problems.map(({ reason }) => reason)).toEqual(['unreachable', 'timeout']);
  expect(report()).toMatchObject({ offered: null, problem: { reason: 'timeout' } });
  expect(stateOf().active).toBe(first);
});

test.each<['reportOrigin' | 'reportPreview', 'poll' | 'pollPreview', () => unknown]>([
  ['reportOrigin', 'poll', () => origin.offer(first)],
  [
    'reportPreview',
    'pollPreview',
    () => {
      origin.text = new OriginFailure('missing', 'it responded with 404');
    },
  ],
])('a registry that can’t be written fails no poll by %s, which is for people only', async (report, poll, fix) => {
  origin.text = new OriginFailure('unreachable', 'connect ECONNREFUSED');
  expect(await mirror[poll](signal)).toBe(false);
  await releases.copy.refresh();
  releases.registry[report] = async () => {
    throw new RegistryError(new Error('could not extend file: No space left on device'));
  };
  fix();
  for (let time = 0; time < 3; time += 1) expect(await mirror[poll](signal)).toBe(true);
  expect(problems.map(({ reason }) => reason)).toEqual(['unreachable']);
});

const timeout = { reason: 'timeout', message: 'its files did not all arrive in time' };
test.each<[string, object[], (limit: AbortController, server: AbortController) => void]>([
  [
    'the origin fails',
    [{ reason: 'unreachable', message: 'other side closed' }],
    () => {
      throw new OriginFailure('unreachable', 'other side closed');
    },
  ],
  ['two minutes have passed', [timeout], (limit) => limit.abort()],
  ['the server stops, which is no problem', [], (_, server) => server.abort()],
])('a release leaves no orphaned files and is retried if in its middle %s', async (_what, reported, interrupt) => {
  const [limit, server] = [new AbortController(), new AbortController()];
  const timeouts = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  origin.offer(first);
  const { read } = origin;
  origin.read = async function* begin(_file, stop) {
    yield Buffer.from('1');
    interrupt(limit, server);
    stop.throwIfAborted();
  };
  expect(await poll(mirror, server.signal)).toBe(false);
  expect(timeouts.mock.calls).toEqual([[120_000]]);
  expect(problems).toEqual(reported);
  expect(readdirSync(path.join(releases.folder, '.incoming'))).toEqual([]);
  expect(stateOf().active).toBeUndefined();
  jest.restoreAllMocks();
  origin.read = read;
  expect(await poll()).toBe(true);
  expect(stateOf().active).toBe(first);
});

test.each([
  ['ENOSPC', 'disk-full', /is full; free some space/],
  ['EDQUOT', 'disk-full', /is full; free some space/],
  ['EROFS', 'read-only', /can’t be written/],
  ['EACCES', 'read-only', /can’t be written/],
  ['EIO', 'internal', /^disk$/],
])('a disk that fails with %s is reported once as %s', async (code, reason, message) => {
  origin.offer(first);
  origin.read = () => {
    throw Object.assign(new Error('disk'), { code });
  };
  await poll();
  await poll();
  expect(problems).toEqual([{ reason, message: expect.stringMatching(message) }]);
});

describe('what an origin offers', () => {
  test('is stored and not activated while the remote is held, and then it is', async () => {
    await take(first);
    await releases.hold('mf-legal', by);
    await take(second, third);
    expect([stored(), stateOf().active]).toEqual([[first, second, third], first]);
    expect(report()).toEqual({ address, offered: third, problem: null, previewProblem: null });
    await releases.openAgain().lift('mf-legal', by);
    await take(third);
    expect(stateOf().active).toBe(third);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['was rolled back', () => releases.rollback('mf-legal', by)],
    ['was replaced', () => releases.activate('mf-legal', first, by)],
    [
      'was a canary',
      async () => {
        await releases.hold('mf-legal', by);
        await take(third);
        await releases.offer('mf-legal', third, { percent: 10 }, by);
        await releases.end('mf-legal', by);
        await releases.activate('mf-legal', first, by);
        await releases.lift('mf-legal', by);
      },
    ],
  ])('does not become active by itself if it %s', async (_what, decide) => {
    await take(first, second);
    await decide();
    const { number } = stateOf();
    for (const version of [second, ...stored()]) await take(version);
    await poll(createMirror(releases.openAgain()));
    expect(stateOf()).toMatchObject({ active: first, number });
    await take(versionOf(4));
    expect(stateOf().active).toBe(versionOf(4));
  });
});

describe('the retained releases', () => {
  const versions = [1, 2, 3, 4, 5, 6].map(versionOf);

  test('are the most recent ones, and none of another contract that is neither recent nor in use', async () => {
    await releases.add('mf-legal', versionOf(9), { contract: 99 });
    await take(...versions.slice(0, 2));
    expect(stored()).toContain(versionOf(9));
    await take(...versions.slice(2));
    expect(stored()).toEqual(versions.slice(3));
  });

  test.each<[string, () => unknown]>([
    ['active', () => releases.activate('mf-legal', first, by)],
    ['canary', () => releases.offer('mf-legal', first, { percent: 10 }, by)],
  ])('include the %s, the previous and the offered release, however old', async (_what, serve) => {
    await take(first, second);
    await releases.hold('mf-legal', by);
    await serve();
    await take(...versions.slice(2));
    expect(stored()).toEqual([first, second, versionOf(6)]);
    await take(versionOf(6));
    expect(origin.requested).toHaveLength(6);
  });

  test('include the offered release while operators activate others', async () => {
    await take(first);
    for (const version of versions.slice(1)) {
      await releases.add('mf-legal', version);
      await releases.activate('mf-legal', version, by);
    }
    await take(first);
    expect(stored()).toEqual([first, ...versions.slice(4)]);
  });

  test('include the one that was active for the longest time, after an origin that offers one bad release after another', async () => {
    fakeClock('date');
    await take(first);
    jest.setSystemTime(Date.now() + 2 * 60 * 60_000);
    await take(...versions.slice(1));
    expect(stored()).toEqual([first, ...versions.slice(4)]);
  });
});
