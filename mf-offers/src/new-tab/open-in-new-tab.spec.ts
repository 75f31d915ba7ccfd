import { afterEach, expect, jest, test } from '@jest/globals';
import { openInNewTab } from './open-in-new-tab.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

function blankTab() {
  const tab = { opener: window as Window | null, closed: false, location: { replace: jest.fn() } };
  return { tab, asWindow: tab as unknown as Window };
}

test('a tab opens blank, is cut off from this page, and only then goes to the sponsor', () => {
  const { tab, asWindow } = blankTab();
  tab.location.replace.mockImplementation(() => expect(tab.opener).toBeNull());
  const open = jest.spyOn(window, 'open').mockReturnValue(asWindow);

  expect(openInNewTab('https://sponsor.example/offer')).toBe(true);

  expect(open).toHaveBeenCalledWith('about:blank', '_blank');
  expect(tab.location.replace).toHaveBeenCalledWith('https://sponsor.example/offer');
});

test('a tab that the browser held back is told apart', () => {
  jest.spyOn(window, 'open').mockReturnValue(null);
  expect(openInNewTab('https://sponsor.example/offer')).toBe(false);
});

test('a tab that a blocker closed at once counts as held back', () => {
  const { tab, asWindow } = blankTab();
  tab.closed = true;
  jest.spyOn(window, 'open').mockReturnValue(asWindow);
  expect(openInNewTab('https://sponsor.example/offer')).toBe(false);
  expect(tab.location.replace).not.toHaveBeenCalled();
});
