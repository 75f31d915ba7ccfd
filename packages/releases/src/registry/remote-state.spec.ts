import { fastest } from '@daybook/testing/processor-time';
import { versionOf } from '@daybook/testing/releases';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Deployment,
  initialState,
  previousVersions,
  type RemoteState,
  reduce,
  runningPreview,
} from './remote-state.ts';

const momentOf = (number: number) => `2026-11-21T00:00:0${number}.000Z`;
const endsAt = '2026-11-28T00:00:00.000Z';
const end = Date.parse(endsAt);

/** Returns the deployments such as `canary 2`, `end preview`, and `rollback 1`. */
function logOf(text: string): readonly Deployment[] {
  let active: string | undefined;
  return text.split(', ').map((each, index) => {
    const [, word = '', rest = ''] = /^(\S+) ?(\S*)$/.exec(each) ?? [];
    const version = versionOf(Number(rest));
    const changes: Readonly<Record<string, Partial<Deployment>>> = {
      activate: { action: 'activate', version },
      rollback: { action: 'activate', version, ...(active ? { left: active } : {}) },
      canary: { action: 'offer', audience: 'canary', version, percent: 25 },
      preview: { action: 'offer', audience: 'preview', version, tokenHash: `hash of ${rest}`, endsAt },
      end: { action: 'end', audience: rest as 'canary' },
    };
    const change = changes[word] ?? { action: word as 'hold' };
    if (change.action === 'activate') active = version;
    const number = index + 1;
    return { remote: 'mf-legal', number, at: momentOf(number), action: 'hold', why: '', by: 'test', ...change };
  });
}
const after = (text: string): RemoteState => reduce(initialState, logOf(text));

const numberOf = (version: string | undefined) => version && Number(version.slice(-1));
/** The releases of a state by their numbers. */
const releasesIn = (state: RemoteState) => ({
  active: numberOf(state.active),
  isHeld: state.heldBy !== undefined,
  canary: numberOf(state.canary?.version),
  preview: numberOf(runningPreview(state, end - 1)?.version),
  previous: previousVersions(state).map(numberOf),
});

test('without deployments, nothing is active', () => {
  expect(releasesIn(initialState)).toEqual({ isHeld: false, previous: [] });
});

test('canary, preview and activations have their times', () => {
  const state = after('activate 1, activate 2, activate 1, activate 1, canary 2, preview 3');
  expect(state.canary).toEqual({ version: versionOf(2), percent: 25, since: momentOf(5) });
  const preview = { version: versionOf(3), tokenHash: 'hash of 3', endsAt };
  expect(runningPreview(state, end - 1)).toEqual(preview);
  expect(runningPreview(state, end)).toBeUndefined();
  expect([...state.activations]).toEqual([
    [versionOf(2), momentOf(2)],
    [versionOf(1), momentOf(3)],
  ]);
});

test.each([0, 1, 3])('a deployment decided on another state changes nothing: number %p instead of 2', (number) => {
  const before = after('activate 1');
  const [, deployment] = logOf('activate 1, activate 2');
  expect(reduce(before, [{ ...(deployment as Deployment), number }])).toBe(before);
});

describe('any log', () => {
  const word = fc.oneof(
    fc.record({
      word: fc.constantFrom('activate', 'rollback', 'canary', 'preview'),
      rest: fc.integer({ min: 1, max: 4 }),
    }),
    fc.record({ word: fc.constant('end'), rest: fc.constantFrom('canary', 'preview') }),
    fc.record({ word: fc.constantFrom('hold', 'lift'), rest: fc.constant('') }),
  );
  const log = fc
    .array(word, { minLength: 1, maxLength: 9 })
    .map((words) => words.map(({ word: each, rest }) => `${each} ${rest}`.trim()).join(', '));

  /** What each question about a log means, answered from its end. */
  function answersFrom(deployments: readonly Deployment[]) {
    const isActivation = ({ action }: Deployment) => action === 'activate';
    const last = (matches: (each: Deployment) => boolean) => deployments.findLastIndex(matches);
    const activation = deployments[last(isActivation)];
    const lastOffer = (audience: string, isEndedBy: (later: Deployment, offer: Deployment) => boolean) => {
      const index = last((each) => each.action === 'offer' && each.audience === audience);
      const offer = deployments[index];
      if (!offer) return undefined;
      const isOver = deployments
        .slice(index)
        .some((each) => (each.action === 'end' && each.audience === audience) || isEndedBy(each, offer));
      return isOver ? undefined : numberOf(offer.version);
    };
    const isGood = (version: string) =>
      last((each) => each.left === version && each.version !== version) <
      last((each) => isActivation(each) && each.version === version);
    const before = deployments.filter(isActivation).toReversed();
    const previous = [...new Set(before.map(({ version = '' }) => version))];
    return {
      active: numberOf(activation?.version),
      isHeld: last(({ action }) => action === 'hold') > last(({ action }) => action === 'lift'),
      canary: lastOffer('canary', isActivation),
      preview: lastOffer(
        'preview',
        (later, { version }) => isActivation(later) && (later.left !== undefined || later.version === version),
      ),
      previous: previous.filter((each) => each !== activation?.version && isGood(each)).map(numberOf),
    };
  }

  test('has the state that its last entries say', () => {
    fc.assert(
      fc.property(log, (text) => {
        expect(releasesIn(after(text))).toEqual(answersFrom(logOf(text)));
      }),
      { numRuns: 1_000 },
    );
  });

  test('has the same state read at once or entry by entry, whose copies would make a long one quadratic', async () => {
    fc.assert(
      fc.property(log, (text) => {
        const each = logOf(text);
        expect(each.reduce((state, one) => reduce(state, [one]), initialState)).toEqual(reduce(initialState, each));
      }),
    );
    const cost = (length: number) => {
      const entries = Array.from({ length }, (_, index) => ({
        ...{ remote: 'mf-legal', number: index + 1, at: '', action: 'activate' as const, why: '', by: '' },
        version: `1.0.${index}-00000000`,
      }));
      return fastest(() => expect(reduce(initialState, entries).number).toBe(length), 0);
    };
    // Copies would make ten times as many entries take a hundred times as long, some seconds for one round.
    expect(await cost(40_000)).toBeLessThan(20 * (await cost(4_000)) + 20);
  });
});
