import { afterEach, expect, jest, test } from '@jest/globals';
import { isForeignChange, reloadOnce } from './foreign-change.ts';

/** jsdom reports that it cannot reload. */
const reloads = jest.spyOn(console, 'error').mockReturnValue();
afterEach(() => {
  history.replaceState(null, '');
  reloads.mockClear();
});

test.each([null, undefined, 7, 'text', ['a list'], { reloaded: 'maybe' }, { key: 'a', idx: 3 }])(
  'reloads an entry with the state %j once',
  (state) => {
    history.replaceState(state, '');
    expect([reloadOnce(), reloadOnce(), reloadOnce()]).toEqual([true, false, false]);
    expect(reloads).toHaveBeenCalledTimes(1);
    if (state instanceof Object && 'key' in state) expect(history.state).toMatchObject(state);
  },
);

test('does not reload where the browser forbids the mark', () => {
  const replaceState = jest.spyOn(history, 'replaceState').mockImplementation(() => {
    throw new DOMException('It was called too often.', 'SecurityError');
  });
  expect(reloadOnce()).toBe(false);
  replaceState.mockRestore();
});

test('only a missing node is a change by others', () => {
  const errors = [new DOMException('', 'NotFoundError'), new DOMException('', 'SyntaxError'), new Error('x'), null];
  expect(errors.map(isForeignChange)).toEqual([true, false, false, false]);
});
