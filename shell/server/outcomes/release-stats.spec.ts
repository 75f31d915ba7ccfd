import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ReleaseStats } from './release-stats.ts';

const interval = 5 * 60_000;
const start = Date.parse('2026-11-21T12:00:00Z');
const version = '1.0.0-00000001';

let now = start;
let metrics = { countView: jest.fn(), countFailure: jest.fn() };
let stats: ReleaseStats;
beforeEach(() => {
  now = start;
  metrics = { countView: jest.fn(), countFailure: jest.fn() };
  stats = new ReleaseStats(metrics, () => now);
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
    expect(metrics.countView.mock.calls).toEqual(Array(3).fill(['mf-legal', version]));
    expect(metrics.countFailure.mock.calls).toEqual([['mf-legal', version, 'render']]);
  });

  test('exclude failed hydrations, which the metrics count', () => {
    stats.countFailure('mf-legal', version, 'hydration');
    expect(total()).toEqual({ views: 0, failures: 0 });
    expect(metrics.countFailure).toHaveBeenCalledWith('mf-legal', version, 'hydration');
  });

  test('are counted separately for each version and remote', () => {
    stats.countView('mf-legal', '1.0.0-00000002');
    stats.countView('mf-privacy', version);
    expect(total().views).toBe(0);
  });

  test('are retained for three hours', () => {
    view();
    now += 36 * interval;
    view();
    expect(stats.recent('mf-legal', version)).toHaveLength(36);
    expect(total().views).toBe(1);
  });
});
