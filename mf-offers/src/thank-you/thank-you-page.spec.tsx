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

  test('has no accessibility problems', async () => {
    jest.useRealTimers();
    acceptingApi();
    const { container } = visit(ThankYouPage, address, { blockedOffers: ['vivint'] });
    expect((await axe(container)).violations).toEqual([]);
  });

  test('has no accessibility problems with the invitation either', async () => {
    jest.useRealTimers();
    acceptingApi();
    const { container } = visit(ThankYouPage, address);
    expect(invitation()).toBeVisible();
    expect((await axe(container)).violations).toEqual([]);
  });
});

describe('the bonus offers', () => {
  beforeEach(() => void acceptingApi());

  test('are offered to a visitor who has not answered yet', () => {
    visit(ThankYouPage, address);
    expect(invitation()).toHaveAttribute('href', '/continue-registration?id=7&email=reader%40example.com');
  });

  test('are not offered to a visitor from the picker', () => {
    visit(ThankYouPage, address, { blockedOffers: [] });
    expect(invitation()).toBeNull();
    expect(screen.queryByText(/held back/)).toBeNull();
  });

  test('are not offered to a visitor who answered earlier in this session', () => {
    rememberOffersAnswered(7);
    visit(ThankYouPage, address);
    expect(invitation()).toBeNull();
  });

  test('are not offered without a registration id', () => {
    visit(ThankYouPage, '/thank-you?email=reader%40example.com');
    expect(invitation()).toBeNull();
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

  test('has no accessibility problems', async () => {
    jest.useRealTimers();
    const { container } = visit(ThankYouPage, '/thank-you', { blockedAddress: 'https://sponsor.example/' });
    expect((await axe(container)).violations).toEqual([]);
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

  test('fires its callback once after three seconds, without personal data', async () => {
    acceptingApi();
    const events: Event[] = [];
    const listener = (event: Event) => events.push(event);
    window.addEventListener(completionEventName, listener);
    visit(ThankYouPage, address);
    await pass(completionCallbackDelay - 1);
    expect(screen.queryByText(complete)).toBeNull();
    await pass(1);
    expect(screen.getByRole('status')).toHaveTextContent(complete);
    await pass(completionCallbackDelay);
    window.removeEventListener(completionEventName, listener);
    expect(events).toHaveLength(1);
    expect((events[0] as CustomEvent).detail).toBeNull();
  });

  test('fires no callback if no notice was acknowledged', async () => {
    jest.spyOn(console, 'error').mockReturnValue();
    fakeApi(() => ({ status: 500 }));
    visit(ThankYouPage, address);
    await pass(completionCallbackDelay);
    expect(screen.queryByText(complete)).toBeNull();
  });

  test('is not stated, nor reported, for an address that never signed up', async () => {
    const { calls } = fakeApi(({ url }) => (url.includes('by-email') ? { status: 404 } : { body: { success: true } }));
    const listener = jest.fn();
    window.addEventListener(completionEventName, listener);
    visit(ThankYouPage, '/thank-you?email=stranger%40example.com');
    await pass(completionCallbackDelay);
    await pass(completionCallbackDelay);
    window.removeEventListener(completionEventName, listener);
    expect(calls.at(-1)?.url).toBe('/api/emergency-webhook');
    expect(screen.queryByText(complete)).toBeNull();
    expect(listener).not.toHaveBeenCalled();
  });

  test('fires no callback after the page is left', async () => {
    acceptingApi();
    const listener = jest.fn();
    window.addEventListener(completionEventName, listener);
    const { unmount } = visit(ThankYouPage, address);
    await pass(1000);
    unmount();
    await pass(completionCallbackDelay);
    window.removeEventListener(completionEventName, listener);
    expect(listener).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(0);
  });
});
