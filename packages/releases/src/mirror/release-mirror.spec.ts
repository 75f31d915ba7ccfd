import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '@daybook/testing/eventually';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { OriginFailure, previewFileName, type ReleaseOrigin } from '../origins/origin.ts';
import { createTemporaryReleases, type TemporaryReleases, versionOf, wholeRelease } from '../test/release-folder.ts';
import { delayAfter, poll, ReleaseMirror } from './release-mirror.ts';

const [first, second] = [versionOf(1), versionOf(2)];

/** An origin whose releases have one file with their version in it. */
interface TestOrigin extends ReleaseOrigin {
  offered: string;
  polls: number;
}

function createOrigin(remote: string, read?: ReleaseOrigin['readFile']): TestOrigin {
  const origin: TestOrigin = {
    address: `http://${remote}`,
    offered: first,
    polls: 0,
    describe: async (_signal, file) => {
      if (file === previewFileName) throw new OriginFailure('missing', 'it responded with 404');
      origin.polls += 1;
      return JSON.stringify(wholeRelease(remote, origin.offered));
    },
    readFile:
      read ??
      async function* readVersion() {
        yield Buffer.from(origin.offered);
      },
  };
  return origin;
}

/** Begins a file and continues when it is aborted. */
const hanging: ReleaseOrigin['readFile'] = async function* hang(_file, signal) {
  yield Buffer.from('1');
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  signal.throwIfAborted();
};

let releases: TemporaryReleases;
let mirror: ReleaseMirror | undefined;
beforeEach(() => {
  releases = createTemporaryReleases();
});
afterEach(async () => {
  await mirror?.stop();
  releases.remove();
});

function createMirror(origins: Readonly<Record<string, ReleaseOrigin>>, interval = 20): ReleaseMirror {
  const remotes = Object.entries(origins).map(([remote, origin]) => ({
    remote,
    origin,
    registry: releases.registry,
    copy: releases.copy,
    management: releases,
    cache: releases.cache,
    retained: 2,
    onProblem: () => undefined,
  }));
  mirror = new ReleaseMirror(remotes, interval);
  return mirror;
}
const active = (remote: string) => releases.copy.stateOf(remote).active;
const orphanedFiles = () => readdirSync(path.join(releases.folder, '.incoming'));

describe('the mirrors of all remotes', () => {
  test('have polled once when the server is ready', async () => {
    const origins = { 'mf-legal': createOrigin('mf-legal'), 'mf-privacy': createOrigin('mf-privacy') };
    await createMirror(origins, 60_000).start();
    expect([active('mf-legal'), active('mf-privacy')]).toEqual([first, first]);
  });

  test('keep polling independently', async () => {
    const [legal, privacy] = [createOrigin('mf-legal'), createOrigin('mf-privacy', hanging)];
    const starting = createMirror({ 'mf-legal': legal, 'mf-privacy': privacy }).start();
    await eventually(() => expect(active('mf-legal')).toBe(first));
    legal.offered = second;
    await eventually(() => expect(active('mf-legal')).toBe(second));
    expect(active('mf-privacy')).toBeUndefined();
    expect(privacy.polls).toBe(1);
    await mirror?.stop();
    await starting;
  });

  test('stop polling when they are stopped', async () => {
    const origin = createOrigin('mf-legal');
    await createMirror({ 'mf-legal': origin }).start();
    await eventually(() => expect(origin.polls).toBeGreaterThan(2));
    await mirror?.stop();
    const { polls } = origin;
    await new Promise(setImmediate);
    origin.offered = second;
    expect(origin.polls).toBe(polls);
    expect(active('mf-legal')).toBe(first);
  });

  test('leave no partly stored release when they are stopped during a poll', async () => {
    const starting = createMirror({ 'mf-legal': createOrigin('mf-legal', hanging) }).start();
    await eventually(() => expect(orphanedFiles()).toHaveLength(1));
    await mirror?.stop();
    expect(orphanedFiles()).toEqual([]);
    await starting;
  });

  test('can be stopped before they were started', async () => {
    await createMirror({ 'mf-legal': createOrigin('mf-legal') }).stop();
    expect(existsSync(path.join(releases.folder, 'log.jsonl'))).toBe(false);
  });
});

let random: jest.SpiedFunction<typeof Math.random>;
beforeEach(() => {
  random = jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => random.mockRestore());

describe('the delay until the next poll', () => {
  test.each([
    [0, 1_000],
    [1, 2_000],
    [2, 4_000],
    [3, 8_000],
    [4, 10_000],
    [2_000, 10_000],
  ])('after %p failures is %p ms', (failures, delay) => {
    expect(delayAfter(failures, 1_000)).toBe(delay);
  });

  test.each([
    [0, 850],
    [1, 1_150],
  ])('is jittered, with the random number %p to %p ms', (number, delay) => {
    random.mockReturnValue(number);
    expect(delayAfter(0, 1_000)).toBe(delay);
  });

  test('is within the jitter by default', () => {
    random.mockRestore();
    const delays = Array.from({ length: 100 }, () => delayAfter(0, 1_000));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(850);
    expect(Math.max(...delays)).toBeLessThanOrEqual(1_150);
    expect(new Set(delays).size).toBeGreaterThan(1);
  });
});

describe('polling', () => {
  /** Polls with these results; returns the delay after each. */
  async function waitsAfter(...results: readonly boolean[]): Promise<readonly number[]> {
    const stopped = new AbortController();
    const waits: number[] = [];
    const rest = [...results];
    const wait = async (ms: number) => {
      waits.push(ms);
      if (rest.length === 0) stopped.abort();
    };
    await poll(async () => rest.shift() ?? true, 1_000, stopped.signal, wait);
    return waits;
  }

  test('backs off after failures up to the max interval, and resets at the first success', async () => {
    const waits = await waitsAfter(true, true, false, false, false, false, false, true, true);
    expect(waits).toEqual([1_000, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 1_000, 1_000]);
  });

  test('ends with its signal, between two polls, during a poll and before the first one', async () => {
    const stopped = new AbortController();
    const pollOnce = jest.fn(async () => true);
    const polling = poll(pollOnce, 60_000, stopped.signal);
    await eventually(() => expect(pollOnce).toHaveBeenCalledTimes(1));
    stopped.abort();
    await polling;
    await poll(pollOnce, 1_000, stopped.signal);
    const other = new AbortController();
    await poll(
      async () => {
        other.abort();
        return true;
      },
      1_000,
      other.signal,
    );
    expect(pollOnce).toHaveBeenCalledTimes(1);
  });
});
