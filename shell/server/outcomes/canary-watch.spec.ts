import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ReleaseManagement } from '../releases/release-management.ts';
import { createTemporaryReleases, type TemporaryReleases, versionOf } from '../test/release-folder.ts';
import { CanaryAnalysis, watchCanaries } from './canary-analysis.ts';
import { ReportNonces } from './report-nonces.ts';

const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const by = { by: 'Ann' };

let folder: TemporaryReleases;
let analysis: CanaryAnalysis;
let errors: unknown[] = [];
let rolledBack: string[] = [];
let endWatch: () => void;

beforeEach(async () => {
  folder = createTemporaryReleases(['mf-legal']);
  for (const version of [first, second, third]) await folder.add('mf-legal', version);
  jest.useFakeTimers({ now: Date.parse('2026-11-21T12:00:00Z') });
  for (const version of [first, second]) folder.activate('mf-legal', version, by);
  analysis = new CanaryAnalysis(new ReportNonces('secret'), (remote) => folder.log.stateOf(remote).canary);
  errors = [];
  rolledBack = [];
  endWatch = watch();
});
afterEach(() => {
  endWatch();
  jest.useRealTimers();
  folder.remove();
});

const watch = (management: ReleaseManagement = folder) =>
  watchCanaries(
    management,
    analysis,
    (error) => errors.push(error),
    (remote) => rolledBack.push(remote),
  );

const startCanary = (auto: boolean) => folder.canary('mf-legal', third, 10, auto, by);

let networks = 0;

/** Views of a release, each from its own network; the first ones fail. */
function count(version: string, { views, failures = 0 }: { readonly views: number; readonly failures?: number }): void {
  for (let view = 0; view < views; view += 1) {
    networks += 1;
    const nonce = { id: String(networks), network: `network ${networks}`, releases: [] };
    analysis.countsOf('mf-legal')?.countView(version, nonce);
    if (view < failures) analysis.countsOf('mf-legal')?.countFailure(version, nonce);
  }
}

const poll = () => jest.advanceTimersByTime(1_000);
const state = () => folder.log.stateOf('mf-legal');

test('failures from before a canary started do not count against it, whatever the clocks show', () => {
  count(third, { views: 100, failures: 50 });
  startCanary(true);
  count(third, { views: 30, failures: 1 });
  poll();
  expect(state().canary).toBeDefined();
  count(third, { views: 30, failures: 30 });
  poll();
  expect(state().canary).toBeUndefined();
});

describe('a canary for 10 % with automatic rollback', () => {
  beforeEach(() => {
    startCanary(true);
  });

  test.each([
    ['half of its networks fail and none of the active release', { views: 40, failures: 20 }, { views: 360 }, false],
    ['it fails ten times as often', { views: 100, failures: 20 }, { views: 900, failures: 18 }, false],
    ['both fail for half of the networks', { views: 40, failures: 20 }, { views: 360, failures: 180 }, true],
    ['both fail for all networks', { views: 100, failures: 100 }, { views: 900, failures: 900 }, true],
    ['there are few networks, all of which fail', { views: 6, failures: 6 }, { views: 54 }, true],
    ['there are seven networks, all of which fail', { views: 7, failures: 7 }, { views: 0 }, false],
    ['none fails', { views: 1_000 }, { views: 9_000 }, true],
    ['the active release fails', { views: 100 }, { views: 900, failures: 900 }, true],
  ])('is rolled back or kept running correctly if %s', (_when, ofCanary, ofActive, goesOn) => {
    count(second, ofActive);
    count(third, ofCanary);
    poll();
    expect(state().canary !== undefined).toBe(goesOn);
    expect(state().active).toBe(second);
    expect(errors).toEqual([]);
  });

  test('is rolled back with the reason in the log, and is not activated again', () => {
    count(third, { views: 40, failures: 10 });
    count(second, { views: 360, failures: 1 });
    poll();
    expect(folder.log.changes().at(-1)).toMatchObject({
      action: 'rollback',
      from: third,
      to: second,
      by: 'canary watch',
      why: 'failed for 10 of 40 networks (25.0 %), the active release for 1 of 360 networks (0.3 %)',
    });
    expect(state().withdrawn).toEqual(new Set([third]));
  });

  test('is rolled back within a second', () => {
    count(third, { views: 40, failures: 40 });
    poll();
    expect(Date.parse(folder.log.changes().at(-1)?.at ?? '') - Date.parse('2026-11-21T12:00:00Z')).toBe(1_000);
  });

  test('starts with new counts when it is started again', () => {
    count(third, { views: 20, failures: 6 });
    folder.canary('mf-legal', third, 0, false, by);
    jest.advanceTimersByTime(60_000);
    startCanary(true);
    count(third, { views: 20, failures: 6 });
    poll();
    expect(state().canary?.version).toBe(third);
  });

  test('is rolled back only once if another server does so at the same moment', () => {
    const other = folder.openAgain();
    const endOther = watch(other);
    count(third, { views: 40, failures: 40 });
    jest.advanceTimersByTime(5_000);
    endOther();
    expect(state()).toMatchObject({ active: second });
    expect(other.log.stateOf('mf-legal')).toMatchObject({ active: second });
    expect(folder.log.changes().filter(({ action }) => action === 'rollback')).toHaveLength(1);
    expect(rolledBack).toEqual(['mf-legal']);
    expect(errors).toEqual([]);
  });

  test('keeps running after the watch has stopped', () => {
    endWatch();
    count(third, { views: 40, failures: 40 });
    poll();
    expect(state().canary?.version).toBe(third);
  });
});

test('a canary without automatic rollback keeps running, however often it fails', () => {
  startCanary(false);
  count(third, { views: 100, failures: 100 });
  poll();
  expect(state().canary?.version).toBe(third);
});

test('an active release is never rolled back, however often it fails', () => {
  count(second, { views: 100, failures: 100 });
  jest.advanceTimersByTime(5_000);
  expect(state().active).toBe(second);
});
