import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ReleaseStats } from './release-stats.ts';

const interval = 5 * 60_000;
const start = Date.parse('2026-11-21T12:00:00Z');
const version = '1.0.0-00000001';

let now = start;
const newCounters = () => ({ views: { inc: jest.fn() }, failures: { inc: jest.fn() } });
let metrics = newCounters();
let stats: ReleaseStats;
beforeEach(() => {
  now = start;
  metrics = newCounters();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  stats = new ReleaseStats(metrics);
});
afterEach(() => {
  jest.restoreAllMocks();
});
const view = () => stats.countView('mf-legal', version);
const fail = () => stats.countFailure('mf-legal', version, 'render');
const total = () => {
  const sum = (counted: 'views' | 'failures') =>
    stats.recent('mf-legal', version).reduce((all, each) => all + each[counted], 0);
  return { views: sum('views'), failures: sum('failures') };
};

describe('the stats of a release', () => {
  test('are zero before any event', () => {
    expect(total()).toEqual({ views: 0, failures: 0 });
    expect(stats.recent('mf-legal', version).at(-1)).toEqual({ at: start, views: 0, failures: 0 });
  });

  test('are counted by intervals of five minutes, and by the metrics', () => {
    view();
    view();
    now += interval;
    fail();
    now += 3 * interval - 1;
    view();
    expect(stats.recent('mf-legal', version).slice(-4)).toEqual([
      { at: start, views: 2, failures: 0 },
      { at: start + interval, views: 0, failures: 1 },
      { at: start + 2 * interval, views: 0, failures: 0 },
      { at: start + 3 * interval, views: 1, failures: 0 },
    ]);
    expect(total()).toEqual({ views: 3, failures: 1 });
    expect(metrics.views.inc.mock.calls).toEqual(Array(3).fill([{ remote: 'mf-legal', version }]));
    const [first, ...others] = metrics.failures.inc.mock.calls.toReversed();
    expect(first).toEqual([{ remote: 'mf-legal', version, kind: 'render' }]);
    // Prometheus sees no increase in a counter that begins with 1.
    expect(others.map((call) => call[1])).toEqual([0, 0, 0]);
  });

  test('exclude failed hydrations, which the metrics count', () => {
    stats.countFailure('mf-legal', version, 'hydration');
    expect(total()).toEqual({ views: 0, failures: 0 });
    expect(metrics.failures.inc).toHaveBeenCalledWith({ remote: 'mf-legal', version, kind: 'hydration' });
  });

  test('are counted separately for each version and remote', () => {
    stats.countView('mf-legal', '1.0.0-00000002');
    stats.countView('mf-privacy', version);
    expect(total().views).toBe(0);
  });

  test('of a chart are those of three hours', () => {
    view();
    now += 36 * interval;
    view();
    expect(stats.recent('mf-legal', version)).toHaveLength(36);
    expect(total().views).toBe(1);
  });

  test('since a moment include its interval, and are retained for a week', () => {
    const since = (moment: number) => stats.since('mf-legal', version, moment);
    expect(since(start)).toEqual({ views: 0, failures: 0 });
    view();
    now += interval;
    view();
    fail();
    expect(since(start + interval - 1)).toEqual({ views: 2, failures: 1 });
    expect(since(start + interval)).toEqual({ views: 1, failures: 1 });
    now = start + 7 * 24 * 60 * 60_000;
    view();
    expect(since(start)).toEqual({ views: 2, failures: 1 });
  });
});
