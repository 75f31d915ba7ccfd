import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { ReleaseOrigin } from '@daybook/release';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { eventually } from '../../test/eventually.ts';
import { createTemporaryReleases, type TemporaryReleases, versionOf, wholeRelease } from '../../test/release-folder.ts';
import { delayAfter, poll, ReleaseMirror } from './release-mirror.ts';

const [first, second] = [versionOf(1), versionOf(2)];

/** An origin whose releases have one file with their version in it. */
interface TestOrigin extends ReleaseOrigin {
  offered: string;
  looks: number;
}

function createOrigin(remote: string, read?: ReleaseOrigin['readFile']): TestOrigin {
  const origin: TestOrigin = {
    address: `http://${remote}`,
    offered: first,
    looks: 0,
    describe: async () => {
      origin.looks += 1;
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

/** Begins a file and goes on when it is given up. */
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
    ...releases,
    kept: 2,
    onProblem: () => undefined,
  }));
  mirror = new ReleaseMirror(remotes, { interval, longestInterval: interval });
  return mirror;
}
const active = (remote: string) => releases.log.stateOf(remote).active;
const leftovers = () => readdirSync(path.join(releases.folder, '.incoming'));

describe('the mirrors of all remotes', () => {
  test('have looked once when the server is ready', async () => {
    const origins = { 'mf-legal': createOrigin('mf-legal'), 'mf-privacy': createOrigin('mf-privacy') };
    await createMirror(origins, 60_000).start();
    expect([active('mf-legal'), active('mf-privacy')]).toEqual([first, first]);
  });

  test('go on looking, each for itself', async () => {
    const [legal, privacy] = [createOrigin('mf-legal'), createOrigin('mf-privacy', hanging)];
    const starting = createMirror({ 'mf-legal': legal, 'mf-privacy': privacy }).start();
    await eventually(() => expect(active('mf-legal')).toBe(first));
    legal.offered = second;
    await eventually(() => expect(active('mf-legal')).toBe(second));
    expect(active('mf-privacy')).toBeUndefined();
    expect(privacy.looks).toBe(1);
    await mirror?.stop();
    await starting;
  });

  test('look no more when they are stopped', async () => {
    const origin = createOrigin('mf-legal');
    await createMirror({ 'mf-legal': origin }).start();
    await eventually(() => expect(origin.looks).toBeGreaterThan(2));
    await mirror?.stop();
    const { looks } = origin;
    await new Promise(setImmediate);
    origin.offered = second;
    expect(origin.looks).toBe(looks);
    expect(active('mf-legal')).toBe(first);
  });

  test('leave nothing half stored when they are stopped in the middle', async () => {
    const starting = createMirror({ 'mf-legal': createOrigin('mf-legal', hanging) }).start();
    await eventually(() => expect(leftovers()).toHaveLength(1));
    await mirror?.stop();
    expect(leftovers()).toEqual([]);
    await starting;
  });

  test('may be stopped before they were started', async () => {
    await createMirror({ 'mf-legal': createOrigin('mf-legal') }).stop();
    expect(existsSync(path.join(releases.folder, 'log.jsonl'))).toBe(false);
  });
});

const options = { interval: 1_000, longestInterval: 10_000, random: () => 0.5 };

describe('the time until the next question', () => {
  test.each([
    [0, 1_000],
    [1, 2_000],
    [2, 4_000],
    [3, 8_000],
    [4, 10_000],
    [2_000, 10_000],
  ])('after %p failures is %p ms', (failures, delay) => {
    expect(delayAfter(failures, options)).toBe(delay);
  });

  test.each([
    [0, 850],
    [1, 1_150],
  ])('is jittered, with the random number %p to %p ms', (number, delay) => {
    expect(delayAfter(0, { ...options, random: () => number })).toBe(delay);
  });

  test('is within the jitter by itself', () => {
    const delays = Array.from({ length: 100 }, () => delayAfter(0, { interval: 1_000, longestInterval: 10_000 }));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(850);
    expect(Math.max(...delays)).toBeLessThanOrEqual(1_150);
    expect(new Set(delays).size).toBeGreaterThan(1);
  });
});

describe('asking again and again', () => {
  let stopped: AbortController;
  let askedAt: number[];
  let wellUntil: number;
  let wellAgainAt: number;

  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
    stopped = new AbortController();
    askedAt = [];
    [wellUntil, wellAgainAt] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  });
  afterEach(() => {
    stopped.abort();
    jest.useRealTimers();
  });

  const start = () =>
    poll(
      async () => {
        askedAt.push(Date.now());
        return Date.now() < wellUntil || Date.now() >= wellAgainAt;
      },
      options,
      stopped.signal,
    );

  test('goes on at the interval while all is well', async () => {
    start();
    await jest.advanceTimersByTimeAsync(3_500);
    expect(askedAt).toEqual([1_000, 2_000, 3_000]);
  });

  test('is backed off by failures, to no more than the longest interval, and comes back at the first success', async () => {
    [wellUntil, wellAgainAt] = [0, 30_000];
    start();
    await jest.advanceTimersByTimeAsync(37_500);
    expect(askedAt).toEqual([1_000, 3_000, 7_000, 15_000, 25_000, 35_000, 36_000, 37_000]);
  });

  test('waits for an answer before it asks again', async () => {
    let answer: (well: boolean) => void = () => undefined;
    let asked = 0;
    const ask = () => {
      asked += 1;
      return new Promise<boolean>((resolve) => {
        answer = resolve;
      });
    };
    poll(ask, options, stopped.signal);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(asked).toBe(1);
    answer(true);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(asked).toBe(2);
  });

  test('ends with its signal, between two questions and while one is open', async () => {
    start();
    await jest.advanceTimersByTimeAsync(1_500);
    stopped.abort();
    expect(jest.getTimerCount()).toBe(0);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(askedAt).toEqual([1_000]);

    const other = new AbortController();
    const ask = async () => {
      other.abort();
      return true;
    };
    poll(ask, options, other.signal);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('never begins where the signal is aborted already', () => {
    stopped.abort();
    start();
    expect(jest.getTimerCount()).toBe(0);
  });
});
