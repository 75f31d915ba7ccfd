import { defaultSiteSettings } from '@daybook/contract';
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

/** Plays a browser that lets so many tabs open, and lists where they went. */
function browserThatOpens(limit: number) {
  const opened: string[] = [];
  let asked = 0;
  jest.spyOn(window, 'open').mockImplementation(() => {
    asked += 1;
    if (asked > limit) return null;
    return { opener: window, closed: false, location: { replace: (to: string) => opened.push(to) } } as never;
  });
  return opened;
}

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

describe('before the address is known', () => {
  test('the page says that the offers are loading, and lists them', async () => {
    const { container } = prerender(ContinueRegistrationPage);
    expect(screen.getByRole('status')).toHaveTextContent('Loading your offers...');
    expect(screen.getAllByRole('checkbox')).toHaveLength(4);
    expect((await axe(container)).violations).toEqual([]);
  });

  test('what is ticked then stays ticked; whose it is has to be known to go on', async () => {
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

  test('an address without a registration takes the offers away', () => {
    const { arriveAt } = prerender(ContinueRegistrationPage);
    arriveAt('/continue-registration?id=12abc');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Registration Not Found');
    expect(screen.queryByRole('checkbox')).toBeNull();
  });
});

describe('without a registration id', () => {
  test.each(['', '?id=', '?id=12abc', '?id=1.5', '?id=-3', '?id=99999999999999999999', '?email=reader@example.com'])(
    'the address %p leads to no registration',
    (query) => {
      visit(ContinueRegistrationPage, `/continue-registration${query}`);
      expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Registration Not Found');
      expect(screen.getByRole('link', { name: 'Return to Homepage' })).toHaveAttribute('href', '/');
    },
  );

  test('the page has no accessibility problems', async () => {
    const { container } = visit(ContinueRegistrationPage, '/continue-registration');
    expect((await axe(container)).violations).toEqual([]);
  });
});

describe('the offer picker', () => {
  test('lists the four offers as checkboxes, none ticked, marked as sponsored', async () => {
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

  test('ticks and unticks an offer', async () => {
    visit(ContinueRegistrationPage, address);
    await pick(/hearing test/);
    expect(screen.getByRole('checkbox', { name: /hearing test/ })).toBeChecked();
    await pick(/hearing test/);
    expect(screen.getByRole('checkbox', { name: /hearing test/ })).not.toBeChecked();
  });

  test('asks for at least one offer, once, and sends nothing', async () => {
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

  test('opens what was picked before it asks the network, saves it by priority, and goes on', async () => {
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

  test('hands the offers that the browser held back to the thank-you page', async () => {
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

  test('saves an empty selection for "No thanks", whatever is ticked, and opens nothing', async () => {
    const opened = browserThatOpens(4);
    const { calls } = acceptingApi();
    const { navigations } = visit(ContinueRegistrationPage, address);
    await pick(/food/);
    await decline();
    await waitFor(() => expect(navigations).toEqual([{ to: thankYou, state: { blockedOffers: [] } }]));
    expect(calls).toEqual([{ method: 'PUT', url: '/api/waitlist/7/offers', body: { selectedOffers: [] } }]);
    expect(opened).toEqual([]);
  });

  test('goes on when saving fails, and only logs that', async () => {
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

describe('while the selection is being saved', () => {
  const never = () => new Promise<never>(() => undefined);
  const setUp = () => {
    jest.useFakeTimers();
    return userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
  };

  test('the visitor waits two seconds at most', async () => {
    const user = setUp();
    fakeApi(never);
    const { navigations } = visit(ContinueRegistrationPage, address);
    await user.click(screen.getByRole('button', { name: 'No thanks' }));
    await jest.advanceTimersByTimeAsync(saveWaitLimit - 1);
    expect(navigations).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(navigations).toHaveLength(1);
  });

  test('a second press does nothing', async () => {
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

  test('who leaves the page is not called back', async () => {
    const user = setUp();
    fakeApi(never);
    const { navigations, unmount } = visit(ContinueRegistrationPage, address);
    await user.click(screen.getByRole('button', { name: 'No thanks' }));
    unmount();
    await jest.advanceTimersByTimeAsync(saveWaitLimit);
    expect(navigations).toEqual([]);
  });
});
