import { expect, test } from '@jest/globals';
import { rowOf } from '../test/content.ts';
import { historyOf, nextState } from './state.ts';

/** Returns the rows of actions such as `+a` (activate a) and `-a` (roll back to a). */
const rowsOf = (actions: string) =>
  actions
    .split(' ')
    .map((each, index) => rowOf(index + 1, each.slice(1), { action: each[0] === '-' ? 'rollback' : 'activate' }));

test.each([
  ['+a +b +c -b', 'a', 'c'],
  ['+a +b +c -b -a', '', 'c b'],
  ['+a +b +c -a', '', 'c b'],
  ['+a +b -a +b', 'a', ''],
  ['+a +b +c +a', 'c b', ''],
])('after %s, a rollback leads to “%s”, and “%s” was rolled back', (actions, before, left) => {
  const history = historyOf(rowsOf(actions));
  expect([history.before.join(' '), [...history.left].sort().reverse().join(' ')]).toEqual([before, left]);
});

test('holds and canaries leave the history as it is', () => {
  const rows = [
    ...rowsOf('+a +b'),
    rowOf(3, 'b', { action: 'hold', heldBy: 'ann' }),
    rowOf(4, 'b', { action: 'canary', canary: 'c', percent: 5 }),
    rowOf(5, 'a', { action: 'rollback' }),
    rowOf(6, 'a', { action: 'lift' }),
  ];
  expect(historyOf(rows)).toEqual({ before: [], left: new Set(['b']) });
});

const canary = rowOf(4, 'a', { canary: 'b', percent: 5, heldBy: 'ann', heldByOperator: true });

test.each([
  ['activate', { active: 'c' }, { active: 'c', canary: null, percent: null }],
  ['end', {}, { active: 'a', canary: null, percent: null }],
  ['hold', { heldBy: 'bob' }, { active: 'a', canary: 'b', percent: 5, heldBy: 'bob' }],
] as const)('the row of %s follows the state before it', (action, changed, expected) => {
  const { at: _, ...kept } = canary;
  expect(nextState('mf-legal', canary, { action, by: 'bob', why: 'x', ...changed })).toEqual({
    ...kept,
    ...{ number: 5, action, by: 'bob', why: 'x' },
    ...expected,
  });
});
