import { defaultSiteSettings } from '@daybook/contract/site';
import { fakeApi } from '@daybook/testing/fake-api';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import { rememberOffersAnswered } from '../offers.ts';
import { prerender, visit } from '../testing/visit.tsx';
import { completionEventName } from '../thank-you/completion.ts';
import ThankYouPage from './thank-you.tsx';

const pageUrl = '/thank-you?id=7&email=reader%40example.com';
const complete = 'Your registration is complete.';
/** In ms (docs/product.md, Constants). */
const completionCallbackDelay = 3000;
const invitation = () => screen.queryByRole('link', { name: 'See my bonus offers' });
const blockedLinks = (name: RegExp) =>
  within(screen.getByRole('region', { name }))
    .getAllByRole('link')
    .map((link) => ['href', 'target', 'rel'].map((attribute) => link.getAttribute(attribute)));
const pass = (time: number) => act(() => jest.advanceTimersByTimeAsync(time));
let calls: ReturnType<typeof fakeApi>;
beforeEach(() => {
  jest.useFakeTimers();
  sessionStorage.clear();
  calls = fakeApi();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('the thank-you page', () => {
  test('lists the next steps even before its URL is known', () => {
    prerender(ThankYouPage);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent("You're Subscribed!");
    expect(screen.getByText(/spam folder/)).toBeVisible();
    expect(screen.getByText(/first issue arrives tomorrow morning/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
    expect(screen.queryByText(/usually fine/)).toBeNull();
  });

  test('shows the visitor’s email, and the bonus offers until they are answered', () => {
    visit(ThankYouPage, '/thank-you?uid=7&e=reader%40example.com');
    expect(screen.getByText('reader@example.com')).toBeVisible();
    expect(invitation()).toHaveAttribute('href', '/continue-registration?id=7&email=reader%40example.com');
  });

  test('states that missing details are usually fine, and sends nothing', async () => {
    visit(ThankYouPage, '/thank-you?id=abc');
    await pass(completionCallbackDelay);
    expect(screen.getByText(/usually fine/)).toBeVisible();
    expect(calls).toEqual([]);
  });

  test.each([
    ['who comes from the picker', '/thank-you?id=7', { blockedOffers: [] }],
    ['who answered earlier in this session', '/thank-you?id=8', undefined],
    ['without a registration id', '/thank-you', undefined],
  ])('offers no bonus offers to a visitor %s', (_who, at, state) => {
    rememberOffersAnswered(8);
    visit(ThankYouPage, at, state);
    expect(invitation()).toBeNull();
  });

  test('links each offer that the browser blocked, and says if they are not saved', () => {
    visit(ThankYouPage, pageUrl, { blockedOffers: ['tmobile', 'vivint'], areOffersUnsaved: true });
    expect(screen.getByText(/couldn’t save the offers you picked/)).toBeVisible();
    const { vivint, tmobile } = defaultSiteSettings.sponsorAddresses;
    expect(blockedLinks(/Your browser blocked/)).toEqual(
      [vivint, tmobile].map((href) => [href, '_blank', 'noopener noreferrer sponsored']),
    );
  });

  test('links a website that /redirect could not open', () => {
    const blockedUrl = 'https://sponsor.example/offer?id=1';
    visit(ThankYouPage, pageUrl, { blockedUrl });
    expect(blockedLinks(/^Your browser blocked this website$/)).toEqual([
      [blockedUrl, '_blank', 'noopener noreferrer nofollow'],
    ]);
  });
});

describe('completion', () => {
  const listener = jest.fn<(event: Event) => void>();
  window.addEventListener(completionEventName, listener);
  beforeEach(() => void listener.mockReset());

  test('happens once per visit, after three seconds, without personal data', async () => {
    visit(ThankYouPage, pageUrl);
    await pass(completionCallbackDelay - 1);
    expect(calls.map(({ call }) => call)).toEqual([
      'PUT /api/waitlist/7/update-client-info',
      'POST /api/waitlist/7/notify-complete',
    ]);
    expect(screen.queryByText(complete)).toBeNull();
    await pass(1);
    expect(screen.getByRole('status')).toHaveTextContent(complete);
    await pass(completionCallbackDelay);
    expect(listener.mock.calls).toMatchObject([[{ detail: null }]]);
  });
});
