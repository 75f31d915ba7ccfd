import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { prerender, visit } from '../testing/visit.tsx';
import RedirectPage from './redirect.tsx';

const url = 'https://sponsor.example/offer?id=1';
const pageUrl = `/redirect?url=${encodeURIComponent(url)}`;
const thankYou = { to: '/thank-you', replace: true, state: {} };
const pass = (time: number) => act(() => jest.advanceTimersByTimeAsync(time));
const bar = () =>
  screen.getAllByRole('progressbar', { name: 'Time until the website opens' })[0] as HTMLProgressElement;
const stop = () => screen.getByRole('button', { name: 'Stop' });
const link = () => screen.getByRole('link', { name: 'click here' });
const announced = () => screen.getByRole('status').textContent;

let opened: string[];
beforeEach(() => {
  jest.useFakeTimers();
  opened = [];
  const tab = { opener: window, closed: false, location: { replace: (to: string) => opened.push(to) } };
  jest.spyOn(window, 'open').mockReturnValue(tab as never);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('the redirect page does not count down before its URL is known', async () => {
  prerender(RedirectPage);
  await pass(10_000);
  expect(screen.getByText('Opens in 4 seconds')).toBeVisible();
  expect(announced()).toBe('');
  expect(opened).toEqual([]);
});

test.each(['', '?url=javascript:alert(1)'])(
  'the redirect page treats %p as no url and redirects home',
  async (query) => {
    const { navigations } = visit(RedirectPage, `/redirect${query}`);
    await pass(10_000);
    // Strict mode runs effects twice.
    expect(new Set(navigations.map((each) => JSON.stringify(each)))).toEqual(new Set(['{"to":"/","replace":true}']));
    expect(opened).toEqual([]);
  },
);

test('the countdown shows the target for four seconds, then opens it', async () => {
  const { navigations } = visit(RedirectPage, pageUrl);
  const start = 'sponsor.example opens in a new tab in 4 seconds, unless you stop it.';
  expect(screen.getByText('sponsor').parentElement).toHaveTextContent('sponsor.example');
  expect([bar().value, announced()]).toEqual([0, '']);
  // The visitor sets the clock.
  jest.setSystemTime(0);
  await pass(1000);
  expect(screen.getByText('Opens in 3 seconds')).toBeVisible();
  expect([bar().value, announced()]).toEqual([1000, start]);
  await pass(2999);
  expect(screen.getByText('Opens in 1 second')).toBeVisible();
  expect(announced()).toBe(start);
  expect(opened).toEqual([]);
  await pass(1);
  expect(opened).toEqual([url]);
  expect(navigations).toEqual([thankYou]);
  expect(screen.getByText('Opening sponsor.example.')).toBeVisible();
  fireEvent.click(stop());
  expect(announced()).toBe('Opening sponsor.example.');
});

test('a URL blocked by the browser is passed to the thank-you page', async () => {
  jest.spyOn(window, 'open').mockReturnValue(null);
  const { navigations } = visit(RedirectPage, pageUrl);
  await pass(4000);
  expect(navigations).toEqual([{ ...thankYou, state: { blockedUrl: url } }]);
});

test('the countdown can be stopped, and restarted from the beginning', async () => {
  const { navigations } = visit(RedirectPage, pageUrl);
  await pass(3000);
  const button = stop();
  fireEvent.click(button);
  expect(button).toHaveTextContent('Start again');
  expect(announced()).toBe('Stopped. Nothing will open until you say so.');
  await pass(60_000);
  fireEvent.click(button);
  await pass(3999);
  expect([opened, navigations]).toEqual([[], []]);
  await pass(1);
  expect([opened, navigations]).toEqual([[url], [thankYou]]);
});

test.each([
  ['a click', 'click', 0],
  ['a middle click', 'auxclick', 1],
])('%s on “click here” opens a tab and leaves the page at once', async (_what, type, button) => {
  // jsdom can't follow a link.
  window.addEventListener('click', (event) => event.preventDefault(), { once: true });
  const { navigations } = visit(RedirectPage, pageUrl);
  expect(link()).toHaveAttribute('href', url);
  expect(link()).toHaveAttribute('target', '_blank');
  expect(link()).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  fireEvent(link(), new MouseEvent(type, { bubbles: true, cancelable: true, button }));
  await pass(0);
  expect(navigations).toEqual([thankYou]);
  await pass(10_000);
  expect(navigations).toHaveLength(1);
  expect(opened).toEqual([]);
});
