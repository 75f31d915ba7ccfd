import { readdirSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '@daybook/testing/eventually';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { OriginFailure, previewFileName, type ReleaseOrigin } from '../origins/origin.ts';
import { createTemporaryReleases, type TemporaryReleases, versionOf, wholeRelease } from '../test/release-folder.ts';
import { poll, ReleaseMirror } from './release-mirror.ts';

const [first, second] = [versionOf(1), versionOf(2)];

interface TestOrigin extends ReleaseOrigin {
  offered: string;
  polls: number;
}

/** Returns an origin whose releases have one file with their version in it. */
function createOrigin(remote: string, read?: ReleaseOrigin['readFile']): TestOrigin {
  const origin: TestOrigin = {
    address: `http://${remote}`,
    offered: first,
    polls: 0,
    async describe(_signal, file) {
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

describe('the mirrors of all remotes', () => {
  let releases: TemporaryReleases;
  let mirror: ReleaseMirror;
  beforeEach(() => {
    releases = createTemporaryReleases();
  });
  afterEach(async () => {
    await mirror.stop();
    releases.remove();
  });

  function createMirror(origins: Readonly<Record<string, ReleaseOrigin>>, interval = 20): ReleaseMirror {
    const remotes = Object.entries(origins).map(([remote, origin]) => releases.mirrorOptions(origin, { remote }));
    mirror = new ReleaseMirror(remotes, interval);
    return mirror;
  }
  const active = (remote: string) => releases.copy.stateOf(remote).active;
  const unfinished = () => readdirSync(path.join(releases.folder, '.incoming'));

  test('have polled once when the server is ready', async () => {
    const origins = { 'mf-legal': createOrigin('mf-legal'), 'mf-privacy': createOrigin('mf-privacy') };
    await createMirror(origins, 60_000).start();
    expect([active('mf-legal'), active('mf-privacy')]).toEqual([first, first]);
  });

  test('poll independently until they are stopped, and leave no partly stored release', async () => {
    const [legal, privacy] = [createOrigin('mf-legal'), createOrigin('mf-privacy', hanging)];
    const starting = createMirror({ 'mf-legal': legal, 'mf-privacy': privacy }).start();
    await eventually(() => expect(active('mf-legal')).toBe(first));
    legal.offered = second;
    await eventually(() => expect(active('mf-legal')).toBe(second));
    expect([active('mf-privacy'), privacy.polls, unfinished().length]).toEqual([undefined, 1, 1]);
    await mirror.stop();
    await starting;
    const { polls } = legal;
    expect(unfinished()).toEqual([]);
    await new Promise(setImmediate);
    expect(legal.polls).toBe(polls);
  });
});

test('polling backs off after failures up to the max interval, with jitter, resets at the first success, and ends with its signal', async () => {
  const stopped = new AbortController();
  const random = jest.spyOn(Math, 'random');
  const waits: number[] = [];
  const wait = async (ms: number) => waits.push(ms);
  const polls = [
    [true, 0, 850],
    [true, 1, 1_150],
    [false, 0.5, 2_000],
    [false, 0.5, 4_000],
    [false, 0.5, 8_000],
    [false, 0.5, 10_000],
    [false, 0.5, 10_000],
    [true, 0.5, 1_000],
  ] as const;
  const results = [...polls];
  const pollOnce = async () => {
    const [result, number] = results.shift() ?? [true, 0];
    random.mockReturnValue(number);
    if (waits.length === polls.length) stopped.abort();
    return result;
  };
  await poll(pollOnce, 1_000, stopped.signal, wait);
  random.mockRestore();
  expect(waits).toEqual(polls.map(([, , ms]) => ms));
  await poll(() => Promise.reject(new Error('It was stopped before.')), 1_000, stopped.signal);
});
