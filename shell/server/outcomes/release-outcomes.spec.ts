import { beforeEach, describe, expect, test } from '@jest/globals';
import { ReleaseOutcomes } from './release-outcomes.ts';

const minute = 60_000;
const start = Date.parse('2026-11-21T12:00:00Z');
const version = '1.0.0-00000001';

let now = start;
let told: string[] = [];
let outcomes: ReleaseOutcomes;
beforeEach(() => {
  now = start;
  told = [];
  const listener = {
    onView: (...event: string[]) => told.push(['view', ...event].join(' ')),
    onFailure: (...event: string[]) => told.push(['failure', ...event].join(' ')),
  };
  outcomes = new ReleaseOutcomes(listener, () => now);
});
const view = () => outcomes.countView('mf-legal', version);
const fail = () => outcomes.countFailure('mf-legal', version, 'render');
const total = () => {
  const minutes = outcomes.lastMinutes('mf-legal', version);
  const sum = (counted: 'views' | 'failures') => minutes.reduce((all, each) => all + each[counted], 0);
  return { views: sum('views'), failures: sum('failures') };
};

describe('the outcomes of a release', () => {
  test('are nothing before anything happened', () => {
    expect(total()).toEqual({ views: 0, failures: 0 });
    expect(outcomes.lastMinutes('mf-legal', version, 2)).toEqual([
      { at: start - minute, views: 0, failures: 0 },
      { at: start, views: 0, failures: 0 },
    ]);
  });

  test('are counted by the minute', () => {
    view();
    view();
    now += minute;
    fail();
    now += 2 * minute + 59_999;
    view();
    expect(outcomes.lastMinutes('mf-legal', version, 4)).toEqual([
      { at: start, views: 2, failures: 0 },
      { at: start + minute, views: 0, failures: 1 },
      { at: start + 2 * minute, views: 0, failures: 0 },
      { at: start + 3 * minute, views: 1, failures: 0 },
    ]);
    expect(total()).toEqual({ views: 3, failures: 1 });
  });

  test('have no failure for a page that had to be rendered anew, which is told all the same', () => {
    outcomes.countFailure('mf-legal', version, 'hydration');
    expect(total()).toEqual({ views: 0, failures: 0 });
    expect(told).toEqual([`failure mf-legal ${version} hydration`]);
  });

  test('are those of its version and remote alone', () => {
    outcomes.countView('mf-legal', '1.0.0-00000002');
    outcomes.countView('mf-privacy', version);
    expect(total().views).toBe(0);
  });

  test('are kept by the minute for three hours', () => {
    view();
    now += 180 * minute;
    view();
    expect(outcomes.lastMinutes('mf-legal', version)).toHaveLength(180);
    expect(total().views).toBe(1);
  });

  test('are told to the listener as they happen', () => {
    view();
    fail();
    expect(told).toEqual([`view mf-legal ${version}`, `failure mf-legal ${version} render`]);
  });
});
