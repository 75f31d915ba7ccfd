import { defaultSiteSettings } from '@daybook/contract/site';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import { axe } from 'jest-axe';
import { rememberOffersAnswered } from '../offers.ts';
import { acceptingApi, fakeApi } from '../testing/fake-api.ts';
import { prerender, visit } from '../testing/visit.tsx';
import { completionCallbackDelay, completionEventName } from './completion.ts';
import ThankYouPage from './thank-you-page.tsx';

const address = '/thank-you?id=7&email=reader%40example.com';
const complete = 'Your registration is complete.';
const invitation = () => screen.queryByRole('link', { name: 'See my bonus offers' });
const pass = (time: number) => act(() => jest.advanceTimersByTimeAsync(time));

beforeEach(() => {
  jest.useFakeTimers();
  sessionStorage.clear();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('the thank-you page', () => {
  test('lists the next steps even before its address is known', () => {
    prerender(ThankYouPage);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent("You're Subscribed!");
    expect(screen.getByText(/spam folder/)).toBeVisible();
    expect(screen.getByText(/first issue arrives tomorrow morning/)).toBeVisible();
    expect(screen.getByRole('complementary')).toHaveTextContent('Pay yourself first');
    expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
    expect(screen.queryByText(/usually fine/)).toBeNull();
  });

  test("shows the visitor's address", () => {
    acceptingApi();
    visit(ThankYouPage, '/thank-you?uid=7&e=reader%40example.com');
    expect(screen.getByText('reader@example.com')).toBeVisible();
    expect(screen.queryByText(/usually fine/)).toBeNull();
  });

  test('states that missing details are usually fine, and sends nothing', async () => {
    const { calls } = acceptingApi();
    visit(ThankYouPage, '/thank-you?id=abc');
    await pass(completionCallbackDelay);
    expect(screen.getByText(/usually fine/)).toBeVisible();
    expect(calls).toEqual([]);
    expect(screen.queryByText(complete)).toBeNull();
  });

  test.each([
    ['an invitation to the offers', address, undefined],
    ['offers that the browser blocked', address, { blockedOffers: ['vivint'] }],
    ['a website that the browser blocked', '/thank-you', { blockedAddress: 'https://sponsor.example/' }],
  ])('is accessible with %s', async (_what, at, state) => {
    jest.useRealTimers();
    acceptingApi();
    const { container } = visit(ThankYouPage, at, state);
    expect((await axe(container)).violations).toEqual([]);
  });
});

describe('the bonus offers', () => {
  beforeEach(() => void acceptingApi());

  test('are offered to a visitor who has not answered yet', () => {
    visit(ThankYouPage, address);
    expect(invitation()).toHaveAttribute('href', '/continue-registration?id=7&email=reader%40example.com');
  });

  test.each([
    ['who comes from the picker', () => visit(ThankYouPage, address, { blockedOffers: [] })],
    [
      'who answered earlier in this session',
      () => {
        rememberOffersAnswered(7);
        visit(ThankYouPage, address);
      },
    ],
    ['without a registration id', () => visit(ThankYouPage, '/thank-you?email=reader%40example.com')],
  ])('are not offered to a visitor %s', (_who, arrive) => {
    arrive();
    expect(invitation()).toBeNull();
    expect(screen.queryByText(/held back/)).toBeNull();
  });

  test('are links to a separate tab if the browser blocked theirs', () => {
    visit(ThankYouPage, address, { blockedOffers: ['tmobile', 'vivint'] });
    const links = within(screen.getByRole('region', { name: /held back/ })).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      defaultSiteSettings.sponsorAddresses.vivint,
      defaultSiteSettings.sponsorAddresses.tmobile,
    ]);
    for (const link of links) {
      expect(link).toHaveAttribute('target', '_blank');
      expect(link).toHaveAttribute('rel', 'noopener noreferrer sponsored');
    }
  });
});

describe('a website that /redirect could not open', () => {
  beforeEach(() => void acceptingApi());

  test('is a link to a separate tab, with the name of its host', () => {
    visit(ThankYouPage, '/thank-you', { blockedAddress: 'https://sponsor.example/offer?id=1' });
    const link = within(screen.getByRole('region', { name: 'Your browser held back this website' })).getByRole('link');
    expect(link).toHaveTextContent('sponsor.example');
    expect(link).toHaveAttribute('href', 'https://sponsor.example/offer?id=1');
    expect(link).toHaveAttribute('target', '_blank');
    expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  });

  test('is not shown if it is not a web address', () => {
    visit(ThankYouPage, '/thank-you', { blockedAddress: 'javascript:alert(1)' });
    expect(screen.queryByText(/held back/)).toBeNull();
  });

  test('does not count as an answer to the bonus offers', () => {
    visit(ThankYouPage, address, { blockedAddress: 'https://sponsor.example/' });
    expect(invitation()).toBeVisible();
  });
});

describe('completion', () => {
  test('happens once per visit, however often effects run', async () => {
    const { calls } = acceptingApi();
    visit(ThankYouPage, address);
    await pass(0);
    expect(calls.map(({ url }) => url)).toEqual([
      '/api/waitlist/7/update-client-info',
      '/api/waitlist/7/notify-complete',
    ]);
  });

  describe('fires its callback', () => {
    const listener = jest.fn<(event: Event) => void>();
    beforeEach(() => {
      listener.mockReset();
      window.addEventListener(completionEventName, listener);
    });
    afterEach(() => window.removeEventListener(completionEventName, listener));

    test('once after three seconds, without personal data', async () => {
      acceptingApi();
      visit(ThankYouPage, address);
      await pass(completionCallbackDelay - 1);
      expect(screen.queryByText(complete)).toBeNull();
      await pass(1);
      expect(screen.getByRole('status')).toHaveTextContent(complete);
      await pass(completionCallbackDelay);
      expect(listener.mock.calls).toMatchObject([[{ detail: null }]]);
    });

    test('never if no notice was acknowledged', async () => {
      jest.spyOn(console, 'error').mockReturnValue();
      fakeApi(() => ({ status: 500 }));
      visit(ThankYouPage, address);
      await pass(2 * completionCallbackDelay);
      expect(screen.queryByText(complete)).toBeNull();
      expect(listener).not.toHaveBeenCalled();
    });

    test('never after the page is left', async () => {
      acceptingApi();
      const { unmount } = visit(ThankYouPage, address);
      await pass(1000);
      unmount();
      await pass(completionCallbackDelay);
      expect(listener).not.toHaveBeenCalled();
      expect(jest.getTimerCount()).toBe(0);
    });
  });
});
