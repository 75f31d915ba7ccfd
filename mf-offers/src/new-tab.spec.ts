import { afterEach, expect, jest, test } from '@jest/globals';
import { openInNewTab, parseWebUrl } from './new-tab.ts';
import { readBlockedTabs } from './thank-you/blocked-tabs.tsx';

afterEach(() => {
  jest.restoreAllMocks();
});

const blankTab = () => ({ opener: window as Window | null, closed: false, location: { replace: jest.fn() } });

test("a new tab has no opener before it loads the sponsor's URL", () => {
  const tab = blankTab();
  tab.location.replace.mockImplementation(() => expect(tab.opener).toBeNull());
  const open = jest.spyOn(window, 'open').mockReturnValue(tab as never);
  expect(openInNewTab('https://sponsor.example/offer')).toBe(true);
  expect(open).toHaveBeenCalledWith('about:blank', '_blank');
  expect(tab.location.replace).toHaveBeenCalledWith('https://sponsor.example/offer');
});

/** Imitations of content blockers have this page's own properties. */
const imitation = new Proxy(window, { get: (page, name) => name !== 'closed' && Reflect.get(page, name) });
const frame = { ...blankTab(), frameElement: document.createElement('iframe') };

test.each<[string, () => unknown]>([
  ['returns null', () => null],
  ['returns an imitation of this window', () => imitation],
  ['returns a hidden frame', () => frame],
  ['throws', () => JSON.parse('')],
])('no tab has opened if window.open %s', (_what, open) => {
  const { opener } = window;
  jest.spyOn(window, 'open').mockImplementation(open as typeof window.open);
  expect(openInNewTab('https://sponsor.example/offer')).toBe(false);
  expect(window.opener).toBe(opener);
});

test.each([
  [{ blockedOffers: ['tmobile', 'yacht', 'vivint'] }, { offers: ['vivint', 'tmobile'] }],
  [{ blockedUrl: 'https://a.example/' }, { url: { href: 'https://a.example/', host: 'a.example' } }],
  [{ blockedOffers: 'vivint', blockedUrl: 'javascript:alert(1)', areOffersUnsaved: 1 }, {}],
  ['text', {}],
])('the history state %j has the blocked tabs %j', (state, tabs) => {
  expect(readBlockedTabs(state)).toEqual({ offers: undefined, url: undefined, areOffersUnsaved: false, ...tabs });
});

test.each([
  ['https://münchen.example/', 'https://xn--mnchen-3ya.example/', 'xn--mnchen-3ya.example'],
  ['https://sponsor.example/a b?q=c d#e f', 'https://sponsor.example/a%20b?q=c%20d#e%20f', 'sponsor.example'],
])('the URL %p is %p, or as typed, and is shown as %p', (text, href = text, host) => {
  expect(parseWebUrl(text)).toEqual({ href, host });
});

const otherUrls = String.raw`
  sponsor.example /thank-you //sponsor.example https:\\sponsor.example https://sponsor.example\@evil.example
  https:sponsor.example https://?x javascript:alert(1) data:text/html,<script>alert(1)</script> ftp://sponsor.example
  blob:https://sponsor.example/1 https://bank.example@evil.example/ https://user:secret@sponsor.example/`;

test.each([
  ...otherUrls.trim().split(/\s+/),
  ...[undefined, '', 'ht\ntps://sponsor.example', ' https://sponsor.example', 'https://spon sor.example'],
  ...['https://sponsor.example/\u0000', 'https://sponsor.example/\u202egpj.exe'],
  `https://sponsor.example/${'a'.repeat(2048)}`,
])('%p is no URL of a website', (text) => {
  expect(parseWebUrl(text)).toBeUndefined();
});
