import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createTemporaryReleases, type TemporaryReleases, versionOf } from '../test/release-folder.ts';
import { watchCanaries } from './canary-watch.ts';
import { ReleaseOutcomes } from './release-outcomes.ts';

const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const by = { by: 'Ann' };

let folder: TemporaryReleases;
let outcomes: ReleaseOutcomes;
let errors: unknown[] = [];
let endWatch: () => void;

beforeEach(async () => {
  folder = createTemporaryReleases(['mf-legal']);
  for (const version of [first, second, third]) await folder.add('mf-legal', version);
  jest.useFakeTimers({ now: Date.parse('2026-11-21T12:00:00Z') });
  for (const version of [first, second]) folder.changes.activate('mf-legal', version, by);
  outcomes = new ReleaseOutcomes({ onView: () => undefined, onFailure: () => undefined });
  errors = [];
  endWatch = watchCanaries(folder, outcomes, (error) => errors.push(error));
});
afterEach(() => {
  endWatch();
  jest.useRealTimers();
  folder.remove();
});

const startCanary = (auto: boolean) => folder.changes.canary('mf-legal', third, 10, auto, by);

/** What happens to the canary's pages, and a look of the watch after it. */
function happen(views: number, failures: number): void {
  for (let view = 0; view < views; view += 1) outcomes.countView('mf-legal', third);
  for (let failure = 0; failure < failures; failure += 1) outcomes.countFailure('mf-legal', third, 'render');
  jest.advanceTimersByTime(1_000);
}
const state = () => folder.log.stateOf('mf-legal');

test('what happened before a canary began is not held against it, whatever the clocks say', () => {
  happen(100, 50);
  startCanary(true);
  happen(30, 1);
  expect(state().canary).toBeDefined();
  happen(0, 2);
  expect(state().canary).toBeUndefined();
});

describe('a canary that may end by itself', () => {
  beforeEach(() => {
    startCanary(true);
  });

  test.each([
    ['more than 5 % of its page views fail', 100, 6, false],
    ['5 % fail', 100, 5, true],
    ['it has had few page views', 19, 19, true],
    ['it has had just enough page views', 20, 3, false],
    ['only two have failed', 20, 2, true],
    ['none has failed', 1_000, 0, true],
  ])('where %s', (_when, views, failures, goesOn) => {
    happen(views, failures);
    expect(state().canary !== undefined).toBe(goesOn);
    expect(state().active).toBe(second);
    expect(errors).toEqual([]);
  });

  test('leaves in the log who ended it and why, and is not activated again', () => {
    happen(40, 4);
    expect(folder.log.changes().at(-1)).toMatchObject({
      action: 'rollback',
      from: third,
      to: second,
      by: 'canary watch',
      why: '4 of 40 page views failed: 10.0 %, more than 5.0 %',
    });
    expect(state().withdrawn).toEqual(new Set([third]));
  });

  test('is ended within a second', () => {
    happen(40, 4);
    expect(Date.parse(folder.log.changes().at(-1)?.at ?? '') - Date.parse('2026-11-21T12:00:00Z')).toBe(1_000);
  });

  test('is not judged by what happened before it began', () => {
    folder.changes.canary('mf-legal', third, 0, false, by);
    happen(40, 40);
    jest.advanceTimersByTime(60_000);
    startCanary(true);
    happen(20, 0);
    expect(state().canary?.version).toBe(third);
  });

  test('is ended once, though another server ends it at the same moment', () => {
    const other = folder.openAgain();
    const endOther = watchCanaries(other, outcomes, (error) => errors.push(error));
    happen(40, 40);
    jest.advanceTimersByTime(5_000);
    endOther();
    expect(state()).toMatchObject({ active: second });
    expect(other.log.stateOf('mf-legal')).toMatchObject({ active: second });
    expect(folder.log.changes().filter(({ action }) => action === 'rollback')).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  test('goes on after the watch has ended', () => {
    endWatch();
    happen(40, 40);
    expect(state().canary?.version).toBe(third);
  });
});

test('a canary that may not end by itself goes on, however often it fails', () => {
  startCanary(false);
  happen(100, 100);
  expect(state().canary?.version).toBe(third);
});

test('an active release is never taken back, however often it fails', () => {
  for (let view = 0; view < 100; view += 1) {
    outcomes.countView('mf-legal', second);
    outcomes.countFailure('mf-legal', second, 'load');
  }
  jest.advanceTimersByTime(5_000);
  expect(state().active).toBe(second);
});
