import { defaultSiteSettings } from '@daybook/contract/site';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { acceptingApi, fakeApi } from '../testing/fake-api.ts';
import { prerender, visit } from '../testing/visit.tsx';
import ContinueRegistrationPage from './continue-registration-page.tsx';
import { saveWaitLimit } from './use-offer-picker.ts';

const address = '/continue-registration?id=7&email=reader%40example.com';
const thankYou = '/thank-you?id=7&email=reader%40example.com';
const nothingChosen = 'Please select at least one offer to continue';

const proceed = () => userEvent.click(screen.getByRole('button', { name: /continue|opening/i }));
const decline = () => userEvent.click(screen.getByRole('button', { name: 'No thanks' }));
const pick = (name: RegExp) => userEvent.click(screen.getByRole('checkbox', { name }));

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

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

describe('the offer picker before its address is known', () => {
  test('lists the offers with the loading message', async () => {
    const { container } = prerender(ContinueRegistrationPage);
    expect(screen.getByRole('status')).toHaveTextContent('Loading your offers...');
    expect(screen.getAllByRole('checkbox')).toHaveLength(4);
    expect((await axe(container)).violations).toEqual([]);
  });

  test('preserves the selection until the registration is known, and continues only then', async () => {
    const { calls } = acceptingApi();
    browserThatOpens(4);
    const { arriveAt, navigations } = prerender(ContinueRegistrationPage);
    await proceed();
    await decline();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(calls).toEqual([]);
    await pick(/hearing test/);

    arriveAt(address);
    expect(screen.queryByText('Loading your offers...')).toBeNull();
    expect(screen.getByRole('checkbox', { name: /hearing test/ })).toBeChecked();
    await proceed();
    await waitFor(() => expect(navigations).toHaveLength(1));
    expect(calls).toMatchObject([{ body: { selectedOffers: ['audien'] } }]);
  });

  test('removes the offers for an address without a registration', () => {
    const { arriveAt } = prerender(ContinueRegistrationPage);
    arriveAt('/continue-registration?id=12abc');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Registration Not Found');
    expect(screen.queryByRole('checkbox')).toBeNull();
  });
});

describe('the offer picker without a registration id', () => {
  test.each(['', '?id=', '?id=12abc', '?id=1.5', '?id=-3', '?id=99999999999999999999', '?email=reader@example.com'])(
    'rejects the address %p as no registration',
    (query) => {
      visit(ContinueRegistrationPage, `/continue-registration${query}`);
      expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Registration Not Found');
      expect(screen.getByRole('link', { name: 'Return to Homepage' })).toHaveAttribute('href', '/');
    },
  );

  test('has no accessibility problems', async () => {
    const { container } = visit(ContinueRegistrationPage, '/continue-registration');
    expect((await axe(container)).violations).toEqual([]);
  });
});

describe('the offer picker', () => {
  test('lists the four offers as unchecked checkboxes, labelled as sponsored', async () => {
    const { container } = visit(ContinueRegistrationPage, address);
    const boxes = screen.getAllByRole('checkbox');
    expect(boxes).toHaveLength(4);
    for (const box of boxes) {
      expect(box).not.toBeChecked();
      expect(box).toHaveAccessibleDescription(/Sponsored by/);
    }
    expect(screen.getByRole('group', { name: 'Which offers would you like?' })).toBeVisible();
    expect((await axe(container)).violations).toEqual([]);
  });

  test('checks and unchecks an offer', async () => {
    visit(ContinueRegistrationPage, address);
    await pick(/hearing test/);
    expect(screen.getByRole('checkbox', { name: /hearing test/ })).toBeChecked();
    await pick(/hearing test/);
    expect(screen.getByRole('checkbox', { name: /hearing test/ })).not.toBeChecked();
  });

  test('opens what its checkboxes show, also if they were checked without an event', async () => {
    const { calls } = acceptingApi();
    browserThatOpens(4);
    visit(ContinueRegistrationPage, address);
    await proceed();
    Object.assign(screen.getByRole('checkbox', { name: /hearing test/ }), { checked: true });
    await proceed();
    expect(calls).toMatchObject([{ body: { selectedOffers: ['audien'] } }]);
  });

  test('requires at least one offer, shows the message once, and sends nothing', async () => {
    const { calls } = acceptingApi();
    const { navigations, container } = visit(ContinueRegistrationPage, address);
    await proceed();
    await proceed();
    expect(screen.getByRole('alert')).toHaveTextContent(nothingChosen);
    expect(screen.getByRole('group')).toHaveAccessibleDescription(nothingChosen);
    expect(calls).toEqual([]);
    expect(navigations).toEqual([]);
    expect((await axe(container)).violations).toEqual([]);

    await pick(/food/);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('opens the selected offers before any request, saves them by priority, and continues', async () => {
    const opened = browserThatOpens(4);
    const openedAtCall: number[] = [];
    const { calls } = fakeApi(() => {
      openedAtCall.push(opened.length);
      return { body: { entry: { id: 7, email: 'reader@example.com' } } };
    });
    const { navigations } = visit(ContinueRegistrationPage, address);
    await pick(/gift card/);
    await pick(/food/);
    await proceed();
    await waitFor(() => expect(navigations).toEqual([{ to: thankYou, state: { blockedOffers: [] } }]));
    expect(opened).toEqual([
      defaultSiteSettings.sponsorAddresses.grocery,
      defaultSiteSettings.sponsorAddresses.tmobile,
    ]);
    expect(openedAtCall).toEqual([2]);
    expect(calls).toEqual([
      { method: 'PUT', url: '/api/waitlist/7/offers', body: { selectedOffers: ['grocery', 'tmobile'] } },
    ]);
  });

  test('passes the offers blocked by the browser to the thank-you page', async () => {
    acceptingApi();
    browserThatOpens(1);
    const { navigations } = visit(ContinueRegistrationPage, address);
    await pick(/food/);
    await pick(/security/);
    await pick(/gift card/);
    await proceed();
    await waitFor(() =>
      expect(navigations).toEqual([{ to: thankYou, state: { blockedOffers: ['vivint', 'tmobile'] } }]),
    );
  });

  test('saves an empty selection for "No thanks", whatever is checked, and opens nothing', async () => {
    const opened = browserThatOpens(4);
    const { calls } = acceptingApi();
    const { navigations } = visit(ContinueRegistrationPage, address);
    await pick(/food/);
    await decline();
    await waitFor(() => expect(navigations).toEqual([{ to: thankYou, state: { blockedOffers: [] } }]));
    expect(calls).toEqual([{ method: 'PUT', url: '/api/waitlist/7/offers', body: { selectedOffers: [] } }]);
    expect(opened).toEqual([]);
  });

  test('continues when saving fails, and only logs the failure', async () => {
    const log = jest.spyOn(console, 'error').mockReturnValue();
    browserThatOpens(1);
    fakeApi(() => ({ status: 500, body: { statusCode: 500, message: 'No', error: 'INTERNAL' } }));
    const { navigations } = visit(ContinueRegistrationPage, address);
    await pick(/food/);
    await proceed();
    await waitFor(() => expect(navigations).toHaveLength(1));
    expect(log).toHaveBeenCalledTimes(1);
  });
});

describe('the offer picker while saving the selection', () => {
  const never = () => new Promise<never>(() => undefined);
  const setUp = () => {
    jest.useFakeTimers();
    return userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
  };

  test('delays the visitor by two seconds at most', async () => {
    const user = setUp();
    fakeApi(never);
    const { navigations } = visit(ContinueRegistrationPage, address);
    await user.click(screen.getByRole('button', { name: 'No thanks' }));
    await jest.advanceTimersByTimeAsync(saveWaitLimit - 1);
    expect(navigations).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(navigations).toHaveLength(1);
  });

  test('ignores a second press', async () => {
    const user = setUp();
    const opened = browserThatOpens(4);
    const { calls } = fakeApi(never);
    visit(ContinueRegistrationPage, address);
    await user.click(screen.getByRole('checkbox', { name: /food/ }));
    await user.click(screen.getByRole('button', { name: /continue/i }));
    await user.click(screen.getByRole('button', { name: 'Opening your offers...' }));
    await user.click(screen.getByRole('button', { name: 'No thanks' }));
    expect(calls).toHaveLength(1);
    expect(opened).toHaveLength(1);
  });

  test('does not navigate a visitor who has left the page', async () => {
    const user = setUp();
    fakeApi(never);
    const { navigations, unmount } = visit(ContinueRegistrationPage, address);
    await user.click(screen.getByRole('button', { name: 'No thanks' }));
    unmount();
    await jest.advanceTimersByTimeAsync(saveWaitLimit);
    expect(navigations).toEqual([]);
  });
});
