import { failureKinds } from '@daybook/contract/page';
import { RegistryError } from '@daybook/releases/server';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { MemorySiteRegistry } from '../test/memory-site-registry.ts';
import { countsSince, ReleaseStats } from './release-stats.ts';

const interval = 5 * 60_000;
const start = Date.parse('2026-11-21T12:00:00Z');
const version = '1.0.0-00000001';

let now = start;
const newCounters = () => ({
  views: { inc: jest.fn() },
  failures: { inc: jest.fn() },
  failingNetworks: { inc: jest.fn() },
});
let metrics = newCounters();
let store: MemorySiteRegistry;
let stats: ReleaseStats;
beforeEach(() => {
  now = start;
  metrics = newCounters();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  store = new MemorySiteRegistry();
  stats = new ReleaseStats(store, metrics);
});
afterEach(() => {
  jest.restoreAllMocks();
});
const view = () => stats.countView('mf-legal', version);
const fail = () => stats.countFailure('mf-legal', version, 'render', true);
const read = () => stats.read(['mf-legal']);
const since = async (moment: number) => countsSince(await read(), { remote: 'mf-legal', version }, moment);

test('the stats of a release are counted by intervals of five minutes, and by the metrics', async () => {
  view();
  view();
  now += interval;
  fail();
  // The page was rendered again and works: only the metrics count it.
  stats.countFailure('mf-legal', version, 'hydration', false);
  now += 3 * interval - 1;
  view();
  const moments = [0, 1, 2, 3, 4].map((number) => start + number * interval);
  expect(await Promise.all(moments.map(since))).toEqual([
    { views: 3, failures: 1 },
    { views: 1, failures: 1 },
    { views: 1, failures: 0 },
    { views: 1, failures: 0 },
    { views: 0, failures: 0 },
  ]);
  expect(metrics.views.inc.mock.calls).toEqual(Array(3).fill([{ remote: 'mf-legal', version }]));
  // Each kind from 0: Prometheus sees no increase in a counter that begins with 1.
  expect(metrics.failures.inc.mock.calls).toEqual([
    ...failureKinds.map((kind) => [{ remote: 'mf-legal', version, kind }, 0]),
    ...['render', 'hydration'].map((kind) => [{ remote: 'mf-legal', version, kind }]),
  ]);
  expect(metrics.failingNetworks.inc.mock.calls).toEqual([
    ...failureKinds.map((kind) => [{ remote: 'mf-legal', version, kind }, 0]),
    [{ remote: 'mf-legal', version, kind: 'render' }],
  ]);
});

test('the stats since a moment include its interval, and are retained for a week', async () => {
  expect(await since(start)).toEqual({ views: 0, failures: 0 });
  view();
  now += interval;
  view();
  fail();
  expect(await since(start + interval - 1)).toEqual({ views: 2, failures: 1 });
  expect(await since(start + interval)).toEqual({ views: 1, failures: 1 });
  now = start + 7 * 24 * 60 * 60_000 + 1;
  view();
  expect(await since(start)).toEqual({ views: 2, failures: 1 });
});

test('the stats are the sums of all servers, and are stored later if the registry can’t be used', async () => {
  const other = new ReleaseStats(store, newCounters());
  other.countView('mf-legal', version);
  await other.stop();
  view();
  const { addCounts, counts } = store;
  store.addCounts = store.counts = async () => {
    throw new RegistryError(new Error('away'));
  };
  fail();
  expect(await since(start)).toEqual({ views: 1, failures: 1 });
  Object.assign(store, { addCounts, counts });
  expect(await since(start)).toEqual({ views: 2, failures: 1 });
  expect(await store.counts('mf-legal', 0)).toEqual([
    { remote: 'mf-legal', version, at: start, views: 2, failures: 1 },
  ]);
});
