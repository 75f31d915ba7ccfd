import { defaultSiteSettings } from '@daybook/contract/site';
import { afterEach, expect, jest, test } from '@jest/globals';
import { act, render } from '@testing-library/react';
import { getDefaultStore } from 'jotai/vanilla';
import {
  dismissToast,
  provideSiteSettings,
  showToast,
  toastLimits,
  toastsAtom,
  useSiteSettings,
} from './shared-state.ts';

afterEach(() => void jest.useRealTimers());

test('toasts use the constants of docs/product.md', () => {
  expect(toastLimits).toEqual({
    shownAtOnce: 1,
    duration: 5000,
    removeDelay: 1_000_000,
    swipeThreshold: 50,
    hotkey: 'F8',
  });
});

test('toasts are shown one at a time, and stay, closed, until 1,000,000 ms after their own first dismissal', () => {
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
  dismissToast(id);
  jest.advanceTimersByTime(1);
  expect(shown()).toEqual([]);
  dismissToast(showToast({ title: 'dismissed' }));
  const last = showToast(toast);
  jest.advanceTimersByTime(1_000_000);
  expect(shown()).toEqual([{ id: last, open: true, ...toast }]);
});

function Support() {
  return <p>{useSiteSettings().supportAddress}</p>;
}

test("a page gets the default settings until the shell provides the operator's", () => {
  const { container } = render(<Support />);
  expect(container.textContent).toBe('support@daybook.example');
  act(() => provideSiteSettings({ ...defaultSiteSettings, supportAddress: 'help@daily.example' }));
  expect(container.textContent).toBe('help@daily.example');
});
