import { describe, expect, test } from '@jest/globals';
import { versionOf } from '../test/releases.ts';
import {
  initialState,
  needsOperator,
  previousVersions,
  type ReleaseChange,
  type RemoteState,
  reduce,
  runningPreview,
} from './remote-state.ts';

const momentOf = (revision: number) => `2026-11-21T00:00:0${revision}.000Z`;
const endsAt = '2026-11-28T00:00:00.000Z';
const end = Date.parse(endsAt);

/** Returns the state after changes such as `canary 2`, and `rollback 2 to 1` where `from` is not the active release. */
function after(changes: string): RemoteState {
  let state = initialState;
  for (const change of changes.split(', ')) {
    const [, action, from, to] = /^(\S+)(?: (\d) to)? (\d)$/.exec(change) ?? [];
    const revision = state.revision + 1;
    state = reduce(state, {
      remote: 'mf-legal',
      revision,
      at: momentOf(revision),
      action: action as ReleaseChange['action'],
      from: from ? versionOf(Number(from)) : (state.active ?? null),
      to: versionOf(Number(to)),
      ...(action === 'canary' ? { percent: 25 } : {}),
      ...(action === 'preview' ? { tokenHash: `hash of ${to}`, endsAt } : {}),
      why: '',
      by: 'test',
    });
  }
  return state;
}

/** The releases of a state by their numbers. */
function releasesIn(state: RemoteState) {
  const numberOf = (version: string | undefined) => version && Number(version.slice(-1));
  return {
    active: numberOf(state.active),
    pinned: state.pinned,
    canary: numberOf(state.canary?.version),
    preview: numberOf(runningPreview(state, end - 1)?.version),
    withdrawn: [...state.withdrawn].map(numberOf).sort(),
    replaced: [...state.replaced].map(numberOf),
    previous: previousVersions(state).map(numberOf),
  };
}
const nothing = releasesIn(initialState);

test('without changes, nothing is active', () => {
  expect(nothing).toEqual({ pinned: false, withdrawn: [], replaced: [], previous: [] });
});

test.each<[string, string, Partial<typeof nothing>]>([
  ['the active release is the last activated one', 'activate 1, activate 2', { active: 2, previous: [1] }],
  ['the previous one is first of those before', 'activate 1, activate 2, activate 3', { active: 3, previous: [2, 1] }],
  ['a rolled back release is withdrawn', 'activate 1, activate 2, rollback 1', { active: 1, withdrawn: [2] }],
  ['a pin holds its release', 'activate 1, pin 2', { active: 2, pinned: true, previous: [1] }],
  ['a pin outlives a rollback', 'activate 1, pin 2, rollback 1', { active: 1, pinned: true, withdrawn: [2] }],
  ['a pin ends when it is removed', 'activate 1, pin 2, unpin 2', { active: 2, previous: [1] }],
  ['a canary leaves the active release', 'activate 1, canary 2', { active: 1, canary: 2, withdrawn: [2] }],
  ['a canary runs on without the pin', 'pin 1, canary 2, unpin 1', { active: 1, canary: 2, withdrawn: [2] }],
  ['a canary is replaced', 'activate 1, canary 2, canary 3', { active: 1, canary: 3, withdrawn: [2, 3] }],
  ['a canary is promoted', 'activate 1, canary 2, activate 2', { active: 2, previous: [1] }],
  ['a canary is pinned', 'activate 1, canary 2, pin 2', { active: 2, pinned: true, previous: [1] }],
  ['a canary is the target of a rollback', 'activate 1, canary 2, rollback 2', { active: 2, withdrawn: [1] }],
  ['a canary is rolled back', 'activate 1, canary 2, rollback 2 to 1', { active: 1, withdrawn: [2] }],
  ['an activation ends a canary', 'activate 1, canary 2, activate 3', { active: 3, withdrawn: [2], previous: [1] }],
  ['a pin ends a canary', 'activate 1, canary 2, pin 3', { active: 3, pinned: true, withdrawn: [2], previous: [1] }],
  ['a rollback ends a canary of another', 'activate 1, canary 2, rollback 3', { active: 3, withdrawn: [1, 2] }],
  ['a preview leaves the active release', 'activate 1, preview 2', { active: 1, preview: 2, withdrawn: [2] }],
  ['a preview is ended', 'activate 1, preview 2, end-preview 2', { active: 1, withdrawn: [2] }],
  ['a preview is replaced', 'activate 1, preview 2, preview 3', { active: 1, preview: 3, withdrawn: [2, 3] }],
  ['a preview is activated', 'activate 1, preview 2, activate 2', { active: 2, previous: [1] }],
  ['a preview is pinned', 'activate 1, preview 2, pin 2', { active: 2, pinned: true, previous: [1] }],
  ['a preview is the target of a rollback', 'activate 1, preview 2, rollback 2', { active: 2, withdrawn: [1] }],
  ['a preview replaces', 'activate 1, preview 2, replace 2', { active: 2, replaced: [1], previous: [1] }],
  ['a preview outlives an activation', 'preview 2, activate 3', { active: 3, preview: 2, withdrawn: [2] }],
  ['a preview outlives a pin', 'preview 2, pin 3', { active: 3, pinned: true, preview: 2, withdrawn: [2] }],
  ['a preview outlives its removal', 'pin 1, preview 2, unpin 1', { active: 1, preview: 2, withdrawn: [2] }],
  ['a preview outlives a canary', 'preview 2, canary 3', { canary: 3, preview: 2, withdrawn: [2, 3] }],
  [
    'a preview is a canary, too',
    'activate 1, preview 2, canary 2',
    { active: 1, canary: 2, preview: 2, withdrawn: [2] },
  ],
  ['a replaced release is not withdrawn', 'activate 1, replace 2', { active: 2, replaced: [1], previous: [1] }],
  [
    'a replaced release stays one',
    'activate 1, replace 2, replace 3',
    { active: 3, replaced: [1, 2], previous: [2, 1] },
  ],
  ['a replaced release is activated', 'activate 1, replace 2, rollback 1', { active: 1, withdrawn: [2] }],
])('%s: %s', (_what, changes, expected) => {
  expect(releasesIn(after(changes))).toEqual({ ...nothing, ...expected });
});

describe.each(['activate 1, activate 2, rollback 1, canary 2', 'activate 1, canary 2', 'activate 1, preview 2'])(
  'a release that is withdrawn by %s',
  (changes) => {
    test.each(['activate 2', 'pin 2', 'rollback 2'])('is not when an operator makes it active: %s', (step) => {
      expect(releasesIn(after(`${changes}, ${step}`)).withdrawn).not.toContain(2);
    });

    test.each([
      'canary 2',
      'canary 3',
      'activate 3',
      'activate 3, rollback 1',
      'rollback 3',
      'pin 3, unpin 3',
      'rollback 2 to 1',
      'end-preview 2',
    ])('stays withdrawn: %s', (steps) => {
      expect(releasesIn(after(`${changes}, ${steps}`)).withdrawn).toContain(2);
    });
  },
);

test('canary, preview and activations have their times', () => {
  const state = after('activate 1, activate 2, pin 1, unpin 1, activate 1, canary 2, preview 3');
  const preview = { version: versionOf(3), tokenHash: 'hash of 3', endsAt };
  expect(state.canary).toEqual({ version: versionOf(2), percent: 25, since: momentOf(6) });
  expect(runningPreview(state, end - 1)).toEqual({ ...preview, isOver: false });
  expect(runningPreview(state, end)).toBeUndefined();
  expect([...state.activations]).toEqual([
    [versionOf(2), momentOf(2)],
    [versionOf(1), momentOf(3)],
  ]);
});

test('withdrawn and replaced releases need an operator', () => {
  const state = after('activate 1, replace 2, canary 3');
  expect([1, 2, 3].map((each) => needsOperator(state, versionOf(each)))).toEqual([true, false, true]);
});

test.each([0, 1, 3])('a change made from another state changes nothing: number %p instead of 2', (revision) => {
  const before = after('activate 1');
  const change = { remote: 'mf-legal', action: 'activate', from: versionOf(1), to: versionOf(2) } as const;
  expect(reduce(before, { ...change, why: '', by: 'test', at: momentOf(2), revision })).toBe(before);
});
