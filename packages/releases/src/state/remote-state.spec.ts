import { describe, expect, test } from '@jest/globals';
import { versionOf } from '../test/release-folder.ts';
import {
  initialState,
  needsOperator,
  previousVersions,
  type ReleaseChange,
  type RemoteState,
  reduce,
  runningPreview,
} from './remote-state.ts';

const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const momentOf = (revision: number) => `2026-11-21T00:00:0${revision}.000Z`;

type Step = Pick<ReleaseChange, 'action' | 'to'> & Partial<ReleaseChange>;

/** Returns the state after these changes, each made from the previous state. */
const after = (...steps: readonly Step[]): RemoteState =>
  steps.reduce((state, step) => {
    const revision = state.revision + 1;
    const made = {
      remote: 'mf-legal',
      from: state.active ?? null,
      why: '',
      by: 'test',
      revision,
      at: momentOf(revision),
    };
    return reduce(state, { ...made, ...step });
  }, initialState);

const activate = (to: string): Step => ({ action: 'activate', to });
const rollback = (from: string, to: string): Step => ({ action: 'rollback', from, to });
const pin = (to: string): Step => ({ action: 'pin', to });
const unpin = (to: string): Step => ({ action: 'unpin', to });
const canary = (to: string, percent = 10): Step => ({ action: 'canary', to, percent });

describe('the active release', () => {
  test('is the one that was activated last', () => {
    expect(initialState.active).toBeUndefined();
    expect(after(activate(first), activate(second)).active).toBe(second);
  });

  test('is the target of a rollback, and the release that was rolled back is withdrawn', () => {
    expect(after(activate(first), activate(second), rollback(second, first))).toMatchObject({
      active: first,
      withdrawn: new Set([second]),
    });
  });

  test('stays while another is a canary', () => {
    expect(after(activate(first), canary(second)).active).toBe(first);
  });

  test('is last in the activations, which have each release once, with its last activation time', () => {
    const { activations } = after(activate(first), activate(second), pin(first), unpin(first), activate(first));
    expect([...activations]).toEqual([
      [second, momentOf(2)],
      [first, momentOf(3)],
    ]);
  });
});

describe('a pin', () => {
  test('holds until it is removed', () => {
    const pinned = [activate(first), pin(second)];
    expect(after(...pinned)).toMatchObject({ active: second, pinned: true });
    expect(after(...pinned, rollback(second, first))).toMatchObject({ active: first, pinned: true });
    expect(after(...pinned, unpin(second))).toMatchObject({ active: second, pinned: false });
  });
});

describe('a canary', () => {
  test('has its share and its start time', () => {
    expect(after(activate(first), canary(second, 25)).canary).toEqual({
      version: second,
      percent: 25,
      since: momentOf(2),
    });
  });

  test.each([
    ['activated', activate(second)],
    ['pinned', pin(second)],
    ['the target of a rollback', rollback(first, second)],
    ['rolled back', rollback(second, first)],
  ])('is over when its release is %s', (_what, step) => {
    const state = after(activate(first), canary(second), step);
    expect(state).not.toHaveProperty('canary');
    expect(state.active).toBe(step.to);
  });

  test.each([activate(third), pin(third), rollback(first, third)])(
    'is over when another release is activated: %p',
    (step) => {
      expect(after(activate(first), canary(second), step)).not.toHaveProperty('canary');
    },
  );

  test('keeps running when the remote is unpinned', () => {
    expect(after(pin(first), canary(second), unpin(first)).canary?.version).toBe(second);
  });
});

describe('a preview', () => {
  const endsAt = '2026-11-28T00:00:00.000Z';
  const before = Date.parse('2026-11-27T00:00:00Z');
  const preview = (to: string, tokenHash = 'a'): Step => ({ action: 'preview', to, tokenHash, endsAt });
  const endPreview = (to: string): Step => ({ action: 'end-preview', to });
  const running = (...steps: readonly Step[]) => runningPreview(after(activate(first), ...steps), before)?.version;

  test('runs until its end, and is withdrawn from the start', () => {
    const state = after(activate(first), preview(second));
    expect(state).toMatchObject({ active: first, withdrawn: new Set([second]) });
    expect(runningPreview(state, before)).toEqual({ version: second, tokenHash: 'a', endsAt, isOver: false });
    expect(runningPreview(state, Date.parse(endsAt))).toBeUndefined();
  });

  test('is over when it is ended, and its release stays withdrawn', () => {
    const state = after(activate(first), preview(second), endPreview(second));
    expect(runningPreview(state, before)).toBeUndefined();
    expect(state.withdrawn).toEqual(new Set([second]));
  });

  test.each([activate(second), pin(second), rollback(first, second), { action: 'replace', to: second } as const])(
    'is over when its release is activated: %p',
    (step) => {
      expect(running(preview(second), step)).toBeUndefined();
    },
  );

  test.each([activate(third), pin(third), canary(third), canary(second), unpin(first)])(
    'runs on when other things change: %p',
    (step) => {
      expect(running(preview(second), step)).toBe(second);
    },
  );

  test('replaces the last one', () => {
    expect(running(preview(second), preview(third, 'b'))).toBe(third);
  });
});

describe('a replaced release', () => {
  const replace = (from: string, to: string): Step => ({ action: 'replace', from, to });
  const replaced = after(activate(first), replace(first, second));

  test('does not come back by itself, and is not withdrawn: it is the one to roll back to', () => {
    expect(replaced).toMatchObject({ active: second, withdrawn: new Set(), replaced: new Set([first]) });
    expect([needsOperator(replaced, first), needsOperator(replaced, second)]).toEqual([true, false]);
    expect(previousVersions(replaced)).toEqual([first]);
  });

  test('is no longer replaced when an operator activates it', () => {
    const state = after(activate(first), replace(first, second), rollback(second, first));
    expect(state).toMatchObject({ active: first, withdrawn: new Set([second]), replaced: new Set() });
  });
});

describe('a withdrawn release', () => {
  const withdrawn = [activate(first), activate(second), rollback(second, first)];

  test.each([
    ['activated', activate(second)],
    ['pinned', pin(second)],
    ['the target of a rollback', rollback(first, second)],
  ])('is no longer withdrawn when it is %s by an operator', (_what, step) => {
    expect(after(...withdrawn, step).withdrawn).not.toContain(second);
  });

  test.each([
    ['while it is a canary', []],
    ['when another canary takes its place', [canary(third)]],
    ['when another release is activated', [activate(third)]],
    ['when the active release is rolled back', [rollback(first, third)]],
    ['when another release is pinned', [pin(third), unpin(third)]],
    ['when the canary is ended', [rollback(second, first)]],
  ])('stays withdrawn %s; so does a canary', (_what, steps) => {
    for (const before of [withdrawn, [activate(first)]])
      expect(after(...before, canary(second), ...steps).withdrawn).toContain(second);
  });

  test('stays withdrawn while other releases change', () => {
    expect(after(...withdrawn, activate(third), rollback(third, first)).withdrawn).toEqual(new Set([second, third]));
  });
});

describe('a change made from another state', () => {
  test.each([0, 1, 3])('with the number %p instead of 2 changes nothing', (revision) => {
    const before = after(activate(first));
    const change = { remote: 'mf-legal', action: 'activate', from: first, to: second, why: '', by: 'test' } as const;
    expect(reduce(before, { ...change, at: momentOf(2), revision })).toBe(before);
  });
});
