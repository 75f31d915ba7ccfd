import { defaultSiteSettings } from '@daybook/contract/site';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, render } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import {
  dismissToast,
  provideSiteSettings,
  showToast,
  toastLimits,
  toastsAtom,
  useSiteSettings,
} from './shared-state.ts';

const shown = () => getDefaultStore().get(toastsAtom);

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.runAllTimers();
  getDefaultStore().set(toastsAtom, []);
  jest.useRealTimers();
});

describe('toasts', () => {
  test('use the constants of docs/product.md', () => {
    expect(toastLimits).toEqual({
      shownAtOnce: 1,
      duration: 5000,
      removeDelay: 1_000_000,
      swipeThreshold: 50,
      hotkey: 'F8',
    });
  });

  test('are shown one at a time: a new one replaces the previous one', () => {
    const first = showToast({ title: 'first' });
    const toast = { title: 'Error', description: 'Please try again.', variant: 'destructive' } as const;
    const second = showToast(toast);
    expect(second).not.toBe(first);
    expect(shown()).toEqual([{ id: second, open: true, ...toast }]);
  });

  test('stay, closed, until 1,000,000 ms after their dismissal', () => {
    const id = showToast({ title: 'done' });
    dismissToast(id);
    jest.advanceTimersByTime(999_999);
    expect(shown()).toEqual([{ id, open: false, title: 'done' }]);
    // The first dismissal counts.
    dismissToast(id);
    jest.advanceTimersByTime(1);
    expect(shown()).toEqual([]);
  });

  test('are unaffected by the dismissal of another one', () => {
    const first = showToast({ title: 'first' });
    dismissToast(first);
    const second = showToast({ title: 'second' });
    dismissToast(first);
    jest.advanceTimersByTime(1_000_000);
    expect(shown()).toEqual([{ id: second, open: true, title: 'second' }]);
  });
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
