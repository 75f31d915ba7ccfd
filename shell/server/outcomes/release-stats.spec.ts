import { MemoryRegistry, RegistryError } from '@daybook/releases/server';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ReleaseStats } from './release-stats.ts';

const interval = 5 * 60_000;
const start = Date.parse('2026-11-21T12:00:00Z');
const version = '1.0.0-00000001';

let now = start;
const newCounters = () => ({ views: { inc: jest.fn() }, failures: { inc: jest.fn() } });
let metrics = newCounters();
let store: MemoryRegistry;
let stats: ReleaseStats;
beforeEach(() => {
  now = start;
  metrics = newCounters();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  store = new MemoryRegistry();
  stats = new ReleaseStats(store, metrics);
});
afterEach(() => {
  jest.restoreAllMocks();
});
const view = () => stats.countView('mf-legal', version);
const fail = () => stats.countFailure('mf-legal', version, 'render');
const read = () => stats.read(['mf-legal']);
const recent = async () => (await read()).recent('mf-legal', version);
const total = async () => {
  const counts = await recent();
  const sum = (counted: 'views' | 'failures') => counts.reduce((all, each) => all + each[counted], 0);
  return { views: sum('views'), failures: sum('failures') };
};

describe('the stats of a release', () => {
  test('are counted by intervals of five minutes, and by the metrics', async () => {
    view();
    view();
    now += interval;
    fail();
    now += 3 * interval - 1;
    view();
    expect((await recent()).slice(-4)).toEqual([
      { at: start, views: 2, failures: 0 },
      { at: start + interval, views: 0, failures: 1 },
      { at: start + 2 * interval, views: 0, failures: 0 },
      { at: start + 3 * interval, views: 1, failures: 0 },
    ]);
    expect(await total()).toEqual({ views: 3, failures: 1 });
    expect(metrics.views.inc.mock.calls).toEqual(Array(3).fill([{ remote: 'mf-legal', version }]));
    const [first, ...others] = metrics.failures.inc.mock.calls.toReversed();
    expect(first).toEqual([{ remote: 'mf-legal', version, kind: 'render' }]);
    // Prometheus sees no increase in a counter that begins with 1.
    expect(others.map((call) => call[1])).toEqual([0, 0, 0]);
  });

  test('exclude failed hydrations, which the metrics count', async () => {
    stats.countFailure('mf-legal', version, 'hydration');
    expect(await total()).toEqual({ views: 0, failures: 0 });
    expect(metrics.failures.inc).toHaveBeenCalledWith({ remote: 'mf-legal', version, kind: 'hydration' });
  });

  test('of a chart are those of three hours', async () => {
    view();
    now += 36 * interval;
    view();
    expect(await recent()).toHaveLength(36);
    expect((await total()).views).toBe(1);
  });

  test('since a moment include its interval, and are retained for a week', async () => {
    const since = async (moment: number) => (await read()).since('mf-legal', version, moment);
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

  test('are the sums of all servers', async () => {
    const other = new ReleaseStats(store);
    view();
    other.countView('mf-legal', version);
    await other.stop();
    expect(await total()).toEqual({ views: 2, failures: 0 });
  });

  test('are stored later if the registry can’t be used', async () => {
    view();
    await read();
    const { addCounts, counts } = store;
    store.addCounts = store.counts = async () => {
      throw new RegistryError(new Error('away'));
    };
    view();
    fail();
    expect(await total()).toEqual({ views: 2, failures: 1 });
    Object.assign(store, { addCounts, counts });
    expect(await total()).toEqual({ views: 2, failures: 1 });
    expect(await store.counts('mf-legal', 0)).toEqual([
      { remote: 'mf-legal', version, at: start, views: 2, failures: 1 },
    ]);
  });
});
