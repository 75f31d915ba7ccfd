import { afterEach, expect, jest, test } from '@jest/globals';
import { getDefaultStore } from 'jotai/vanilla';
import { dismissToast, showToast, toastsAtom } from './shared-state.ts';

afterEach(() => void jest.useRealTimers());

test('one toast is shown at a time, and stays, closed, for 1,000,000 ms', () => {
  jest.useFakeTimers();
  const shown = () => getDefaultStore().get(toastsAtom);
  const first = showToast({ title: 'first' });
  const toast = { title: 'Error', description: 'Please try again.', variant: 'destructive' } as const;
  const id = showToast(toast);
  dismissToast(first);
  expect(shown()).toEqual([{ id, open: true, ...toast }]);
  dismissToast(id);
  jest.advanceTimersByTime(999_999);
  expect(shown()).toEqual([{ id, open: false, ...toast }]);
  jest.advanceTimersByTime(1);
  expect(shown()).toEqual([]);
});
