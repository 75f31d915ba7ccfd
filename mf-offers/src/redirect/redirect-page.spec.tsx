import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { prerender, visit } from '../testing/visit.tsx';
import RedirectPage from './redirect-page.tsx';

const url = 'https://sponsor.example/offer?id=1';
const address = `/redirect?url=${encodeURIComponent(url)}`;
const thankYou = { to: '/thank-you', replace: true };
const pass = (time: number) => act(() => jest.advanceTimersByTimeAsync(time));
const bar = () =>
  screen.getAllByRole('progressbar', { name: 'Time until the website opens' })[0] as HTMLProgressElement;
const stop = () => screen.getByRole('button', { name: 'Stop' });

function browser({ blocks = false } = {}) {
  const opened: string[] = [];
  const tab = { opener: window, closed: false, location: { replace: (to: string) => opened.push(to) } };
  jest.spyOn(window, 'open').mockReturnValue(blocks ? null : (tab as never));
  return opened;
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('the redirect page promises no tab, and does not count down, before its address is known', async () => {
  const opened = browser();
  prerender(RedirectPage);
  await pass(10_000);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Taking you to another website');
  expect(screen.getByText(/new tab, or waits as a link on the next page if your browser holds/)).toBeVisible();
  expect(screen.getByText('Opens in 4 seconds')).toBeVisible();
  expect(screen.getByRole('status').textContent).toBe('');
  expect(opened).toEqual([]);
});

test.each([
  '',
  '?url=javascript:alert(1)',
  '?url=+https://sponsor.example',
  '?url=https://spon+sor%20.example',
  '?to=https://a.example',
])('the redirect page treats %p as no url and redirects home, replacing its history entry', async (query) => {
  const opened = browser();
  const { navigations } = visit(RedirectPage, `/redirect${query}`);
  await pass(10_000);
  expect(navigations.at(-1)).toEqual({ to: '/', replace: true, state: undefined });
  expect(navigations.every(({ to }) => to === '/')).toBe(true);
  expect(opened).toEqual([]);
});

test.each([
  ['?url=https://sponsor.example/a+b?q=c+d', 'https://sponsor.example/a+b?q=c+d'],
  ['?url=https://sponsor.example/a%20b?q=c%20d', 'https://sponsor.example/a%20b?q=c%20d'],
  [`?${new URLSearchParams({ url: 'https://sponsor.example/?q=a+b' })}`, 'https://sponsor.example/?q=a+b'],
])('the redirect page links %p to %p', (query, href) => {
  browser();
  const { navigations } = visit(RedirectPage, `/redirect${query}`);
  expect(screen.getByRole('link', { name: 'click here' })).toHaveAttribute('href', href);
  expect(navigations).toEqual([]);
});

describe('the countdown of the redirect page', () => {
  test('shows the target for four seconds, then opens it in a new tab and navigates on', async () => {
    const opened = browser();
    const { navigations } = visit(RedirectPage, address);
    expect(screen.getByText('sponsor').parentElement).toHaveTextContent('sponsor.example');
    expect(bar().value).toBe(0);
    await pass(1000);
    expect(screen.getByText('Opens in 3 seconds')).toBeVisible();
    expect(bar().value).toBe(1000);
    await pass(2999);
    expect(screen.getByText('Opens in 1 second')).toBeVisible();
    expect(opened).toEqual([]);
    await pass(1);
    expect(opened).toEqual([url]);
    expect(navigations).toEqual([{ ...thankYou, state: {} }]);
    await pass(10_000);
    expect(opened).toHaveLength(1);
  });

  test('passes an address blocked by the browser to the thank-you page', async () => {
    browser({ blocks: true });
    const { navigations } = visit(RedirectPage, address);
    await pass(4000);
    expect(navigations).toEqual([{ ...thankYou, state: { blockedAddress: url } }]);
  });

  test('is announced only at its start and its end', async () => {
    browser();
    visit(RedirectPage, address);
    const start = 'sponsor.example opens in a new tab in 4 seconds, unless you stop it.';
    expect(screen.getByRole('status').textContent).toBe('');
    for (let seconds = 1; seconds < 4; seconds += 1) {
      await pass(999);
      expect(screen.getByRole('status')).toHaveTextContent(start);
    }
    await pass(1003);
    expect(screen.getByRole('status')).toHaveTextContent('Opening sponsor.example.');
  });

  test('can be stopped and restarted from the beginning by one button', async () => {
    const opened = browser();
    const { navigations } = visit(RedirectPage, address);
    await pass(3000);
    const button = stop();
    fireEvent.click(button);
    expect(button).toHaveTextContent('Start again');
    expect(screen.getByRole('status')).toHaveTextContent('Stopped. Nothing opens until you say so.');
    expect(screen.getAllByText(/^Stopped/)).toHaveLength(1);
    await pass(60_000);
    expect(navigations).toEqual([]);
    fireEvent.click(button);
    await pass(3999);
    expect(opened).toEqual([]);
    await pass(1);
    expect(opened).toEqual([url]);
    expect(navigations).toHaveLength(1);
  });

  test('cannot be stopped or restarted once the website opens', async () => {
    const opened = browser();
    const { navigations } = visit(RedirectPage, address);
    await pass(4000);
    fireEvent.click(stop());
    expect(screen.getByRole('status')).toHaveTextContent('Opening sponsor.example.');
    fireEvent.click(stop());
    await pass(10_000);
    expect(opened).toEqual([url]);
    expect(navigations).toHaveLength(1);
  });

  test('ends when the page is left', async () => {
    const opened = browser();
    const { unmount, navigations } = visit(RedirectPage, address);
    await pass(1000);
    unmount();
    await pass(10_000);
    expect(opened).toEqual([]);
    expect(navigations).toEqual([]);
  });
});

describe('“click here”', () => {
  const link = () => screen.getByRole('link', { name: 'click here' });
  beforeEach(() => {
    // jsdom can't follow a link.
    window.addEventListener('click', (event) => event.preventDefault(), { once: true });
  });

  test('is a link that opens a new tab itself, and navigates on at once', async () => {
    const opened = browser();
    const { navigations } = visit(RedirectPage, address);
    expect(link()).toHaveAttribute('href', url);
    expect(link()).toHaveAttribute('target', '_blank');
    expect(link()).toHaveAttribute('rel', 'noopener noreferrer nofollow');
    fireEvent.click(link());
    await pass(10_000);
    expect(navigations).toEqual([{ ...thankYou, state: {} }]);
    expect(opened).toEqual([]);
  });

  test('works with the middle button and after a stop too', async () => {
    browser();
    const { navigations } = visit(RedirectPage, address);
    fireEvent.click(stop());
    fireEvent(link(), new MouseEvent('auxclick', { bubbles: true, button: 1 }));
    await pass(0);
    expect(navigations).toEqual([{ ...thankYou, state: {} }]);
  });
});

test('the redirect page has no accessibility problems', async () => {
  jest.useRealTimers();
  const { container: neutral, unmount } = prerender(RedirectPage);
  expect((await axe(neutral)).violations).toEqual([]);
  unmount();
  const { container } = visit(RedirectPage, address);
  fireEvent.click(stop());
  expect((await axe(container)).violations).toEqual([]);
});
