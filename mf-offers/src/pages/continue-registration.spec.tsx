import { defaultSiteSettings, offerIds } from '@daybook/contract/site';
import { provideSiteSettings } from '@daybook/platform/host';
import { fakeApi } from '@daybook/testing/fake-api';
import { formSpec } from '@daybook/testing/form-spec';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { prerender, visit } from '../testing/visit.tsx';
import ContinueRegistrationPage from './continue-registration.tsx';

const pageUrl = '/continue-registration?id=7&email=reader%40example.com';
const thankYou = '/thank-you?id=7&email=reader%40example.com';
const call = 'PUT /api/waitlist/7/offers';

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const proceed = () => press(/^Continue with selected offers/);
const decline = () => press('No thanks');
const offer = (name: RegExp) => screen.getByRole('checkbox', { name });
const pick = (name: RegExp) => fireEvent.click(offer(name));
const pass = (time: number) => act(() => jest.advanceTimersByTimeAsync(time));

/** The URLs that the browser has opened, and how many tabs it allows. */
let opened: string[];
let allowedTabs: number;

beforeEach(() => {
  sessionStorage.clear();
  jest.useFakeTimers();
  opened = [];
  allowedTabs = 4;
  jest.spyOn(window, 'open').mockImplementation(() => {
    allowedTabs -= 1;
    if (allowedTabs < 0) return null;
    return { opener: window, closed: false, location: { replace: (to: string) => opened.push(to) } } as never;
  });
});
// After the page is gone.
afterEach(() => {
  provideSiteSettings(defaultSiteSettings);
  jest.restoreAllMocks();
  jest.useRealTimers();
});

// It stays on the page for neither success nor failure.
formSpec('the offer picker', {
  show: () => visit(ContinueRegistrationPage, pageUrl).container,
  fill: (user) => user.click(offer(/food/)),
  button: /^Continue with selected offers/,
  busyLabel: 'Opening your offers...',
  invalid: { message: 'Please select at least one offer to continue', described: () => screen.getByRole('group') },
});

test('offers checked before the URL is known are saved', async () => {
  const calls = fakeApi();
  const { arriveAt, navigations } = prerender(ContinueRegistrationPage);
  expect(screen.getByRole('status')).toHaveTextContent('Loading your offers...');
  proceed();
  decline();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(calls).toEqual([]);
  pick(/hearing test/);
  arriveAt(pageUrl);
  expect(screen.queryByText('Loading your offers...')).toBeNull();
  expect(screen.getAllByRole('checkbox', { description: /Sponsored by/ })).toHaveLength(offerIds.length);
  proceed();
  await pass(0);
  expect(navigations).toHaveLength(1);
  expect(calls).toMatchObject([{ body: { selectedOffers: ['audien'] } }]);
});

test('a link without a registration id has no offers', () => {
  visit(ContinueRegistrationPage, '/continue-registration?id=12abc');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Registration Not Found');
  expect(screen.getByRole('link', { name: 'Return to Homepage' })).toHaveAttribute('href', '/');
  expect(screen.queryByRole('checkbox')).toBeNull();
});

describe('the offer picker', () => {
  test('saves the offers, opens what the browser allows, and passes on the others', async () => {
    const openedAtCall: number[] = [];
    const calls = fakeApi(() => {
      openedAtCall.push(opened.length);
      return { body: { entry: { id: 7 } } };
    });
    const { navigations } = visit(ContinueRegistrationPage, pageUrl);
    allowedTabs = 1;
    pick(/gift card/);
    pick(/food/);
    proceed();
    await pass(0);
    expect(navigations).toEqual([{ to: thankYou, state: { blockedOffers: ['tmobile'] } }]);
    expect(opened).toEqual([defaultSiteSettings.sponsorAddresses.grocery]);
    expect(openedAtCall).toEqual([0]);
    expect(calls).toEqual([{ call, body: { selectedOffers: ['grocery', 'tmobile'] } }]);
  });

  test('shows no offer whose URL the site does not have, and opens none', async () => {
    const { audien: _, ...sponsorAddresses } = defaultSiteSettings.sponsorAddresses;
    provideSiteSettings({ ...defaultSiteSettings, sponsorAddresses });
    const calls = fakeApi();
    const { arriveAt } = prerender(ContinueRegistrationPage);
    pick(/hearing test/);
    pick(/food/);
    arriveAt(pageUrl);
    expect(screen.queryByRole('checkbox', { name: /hearing test/ })).toBeNull();
    proceed();
    await pass(0);
    expect(calls).toMatchObject([{ body: { selectedOffers: ['grocery'] } }]);
  });

  test('reports to the thank-you page that a selection was not saved', async () => {
    const log = jest.spyOn(console, 'error').mockReturnValue();
    fakeApi(() => ({ status: 400 }));
    const { navigations } = visit(ContinueRegistrationPage, pageUrl);
    pick(/food/);
    proceed();
    await pass(0);
    expect(navigations).toEqual([{ to: thankYou, state: { blockedOffers: [], areOffersUnsaved: true } }]);
    expect(log).toHaveBeenCalledTimes(1);
  });

  test('saves an empty selection for "No thanks", and opens nothing', async () => {
    const log = jest.spyOn(console, 'error').mockReturnValue();
    const calls = fakeApi(() => ({ status: 500 }));
    const { navigations } = visit(ContinueRegistrationPage, pageUrl);
    pick(/food/);
    decline();
    await pass(0);
    expect(navigations).toEqual([{ to: thankYou, state: { blockedOffers: [] } }]);
    expect(calls).toEqual([{ call, body: { selectedOffers: [] } }]);
    expect(opened).toEqual([]);
    expect(log).toHaveBeenCalledTimes(1);
  });

  test('delays the visitor by three seconds at most while it saves', async () => {
    const calls = fakeApi(() => new Promise<never>(() => undefined));
    const { navigations } = visit(ContinueRegistrationPage, pageUrl);
    decline();
    press('One moment...');
    proceed();
    expect(calls).toHaveLength(1);
    await pass(2999);
    expect(navigations).toEqual([]);
    await pass(1);
    expect(navigations).toHaveLength(1);
  });
});
