import { defaultSiteSettings } from '@daybook/contract/site';
import { formSpec } from '@daybook/testing/form-spec';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { acceptingApi, fakeApi } from '../testing/fake-api.ts';
import { prerender, visit } from '../testing/visit.tsx';
import ContinueRegistrationPage from './continue-registration-page.tsx';
import { saveWaitLimit } from './use-offer-picker.ts';

const address = '/continue-registration?id=7&email=reader%40example.com';
const thankYou = '/thank-you?id=7&email=reader%40example.com';

const press = (name: RegExp | string) => fireEvent.click(screen.getByRole('button', { name }));
const proceed = () => press('Continue with selected offers');
const decline = () => press('No thanks');
const offer = (name: RegExp) => screen.getByRole('checkbox', { name });
const pick = (name: RegExp) => fireEvent.click(offer(name));
const pass = (time: number) => act(() => jest.advanceTimersByTimeAsync(time));

/** Mocks a browser that allows a limited number of tabs, and lists the opened addresses. */
function browserThatOpens(limit: number) {
  const opened: string[] = [];
  let requested = 0;
  jest.spyOn(window, 'open').mockImplementation(() => {
    requested += 1;
    if (requested > limit) return null;
    return { opener: window, closed: false, location: { replace: (to: string) => opened.push(to) } } as never;
  });
  return opened;
}

beforeEach(() => {
  sessionStorage.clear();
  jest.useFakeTimers();
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

// It stays on the page for neither success nor failure.
formSpec('the offer picker', {
  show() {
    browserThatOpens(4);
    return visit(ContinueRegistrationPage, address).container;
  },
  fill: (user) => user.click(offer(/food/)),
  button: 'Continue with selected offers',
  busyLabel: 'Opening your offers...',
  invalid: { message: 'Please select at least one offer to continue', described: () => screen.getByRole('group') },
});

describe('the offer picker before its address is known', () => {
  test('lists the offers with the loading message', async () => {
    jest.useRealTimers();
    const { container } = prerender(ContinueRegistrationPage);
    expect(screen.getByRole('status')).toHaveTextContent('Loading your offers...');
    expect(screen.getAllByRole('checkbox')).toHaveLength(4);
    expect((await axe(container)).violations).toEqual([]);
  });

  test('preserves the selection until the registration is known, and continues only then', async () => {
    const { calls } = acceptingApi();
    browserThatOpens(4);
    const { arriveAt, navigations } = prerender(ContinueRegistrationPage);
    proceed();
    decline();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(calls).toEqual([]);
    pick(/hearing test/);

    arriveAt(address);
    expect(screen.queryByText('Loading your offers...')).toBeNull();
    expect(offer(/hearing test/)).toBeChecked();
    proceed();
    await pass(0);
    expect(navigations).toHaveLength(1);
    expect(calls).toMatchObject([{ body: { selectedOffers: ['audien'] } }]);
  });
});

test.each(['', '?id=12abc', '?email=reader@example.com'])(
  'the address %p is no registration, and has no offers',
  async (query) => {
    jest.useRealTimers();
    const { arriveAt, container } = prerender(ContinueRegistrationPage);
    arriveAt(`/continue-registration${query}`);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Registration Not Found');
    expect(screen.getByRole('link', { name: 'Return to Homepage' })).toHaveAttribute('href', '/');
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect((await axe(container)).violations).toEqual([]);
  },
);

describe('the offer picker', () => {
  test('lists the four offers as unchecked checkboxes, labelled as sponsored', () => {
    visit(ContinueRegistrationPage, address);
    const boxes = screen.getAllByRole('checkbox');
    expect(boxes).toHaveLength(4);
    for (const box of boxes) {
      expect(box).not.toBeChecked();
      expect(box).toHaveAccessibleDescription(/Sponsored by/);
    }
    expect(screen.getByRole('group', { name: 'Which offers would you like?' })).toBeVisible();
  });

  test('checks and unchecks an offer', () => {
    visit(ContinueRegistrationPage, address);
    pick(/hearing test/);
    expect(offer(/hearing test/)).toBeChecked();
    pick(/hearing test/);
    expect(offer(/hearing test/)).not.toBeChecked();
  });

  test('opens what its checkboxes show, also if they were checked without an event', () => {
    const { calls } = acceptingApi();
    browserThatOpens(4);
    visit(ContinueRegistrationPage, address);
    proceed();
    Object.assign(offer(/hearing test/), { checked: true });
    proceed();
    expect(calls).toMatchObject([{ body: { selectedOffers: ['audien'] } }]);
  });

  test('opens the selected offers before any request, saves them by priority, and continues', async () => {
    const opened = browserThatOpens(4);
    const openedAtCall: number[] = [];
    const { calls } = fakeApi(() => {
      openedAtCall.push(opened.length);
      return { body: { entry: { id: 7, email: 'reader@example.com' } } };
    });
    const { navigations } = visit(ContinueRegistrationPage, address);
    pick(/gift card/);
    pick(/food/);
    proceed();
    await pass(0);
    expect(navigations).toEqual([{ to: thankYou, state: { blockedOffers: [] } }]);
    const { grocery, tmobile } = defaultSiteSettings.sponsorAddresses;
    expect(opened).toEqual([grocery, tmobile]);
    expect(openedAtCall).toEqual([2]);
    expect(calls).toEqual([
      { method: 'PUT', url: '/api/waitlist/7/offers', body: { selectedOffers: ['grocery', 'tmobile'] } },
    ]);
  });

  test('passes the offers blocked by the browser to the thank-you page', async () => {
    acceptingApi();
    browserThatOpens(1);
    const { navigations } = visit(ContinueRegistrationPage, address);
    for (const name of [/food/, /security/, /gift card/]) pick(name);
    proceed();
    await pass(0);
    expect(navigations).toEqual([{ to: thankYou, state: { blockedOffers: ['vivint', 'tmobile'] } }]);
  });

  test('saves an empty selection for "No thanks", whatever is checked, and opens nothing', async () => {
    const opened = browserThatOpens(4);
    const { calls } = acceptingApi();
    const { navigations } = visit(ContinueRegistrationPage, address);
    pick(/food/);
    decline();
    await pass(0);
    expect(navigations).toEqual([{ to: thankYou, state: { blockedOffers: [] } }]);
    expect(calls).toEqual([{ method: 'PUT', url: '/api/waitlist/7/offers', body: { selectedOffers: [] } }]);
    expect(opened).toEqual([]);
  });

  test('continues when saving fails, and only logs the failure', async () => {
    const log = jest.spyOn(console, 'error').mockReturnValue();
    fakeApi(() => ({ status: 500, body: { statusCode: 500, message: 'No', error: 'INTERNAL' } }));
    const { navigations } = visit(ContinueRegistrationPage, address);
    decline();
    await pass(0);
    expect(navigations).toHaveLength(1);
    expect(log).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['delays the visitor by two seconds at most while it saves', false, 1],
    ['does not navigate a visitor who has left the page while it saves', true, 0],
  ])('%s', async (_fact, leaves, count) => {
    const { calls } = fakeApi(() => new Promise<never>(() => undefined));
    const { navigations, unmount } = visit(ContinueRegistrationPage, address);
    decline();
    press('One moment...');
    proceed();
    expect(calls).toHaveLength(1);
    if (leaves) unmount();
    await pass(saveWaitLimit - 1);
    expect(navigations).toEqual([]);
    await pass(1);
    expect(navigations).toHaveLength(count);
  });
});
