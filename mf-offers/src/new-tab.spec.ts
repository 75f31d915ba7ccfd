import { afterEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { openInNewTab, parseWebUrl } from './new-tab.ts';
import { offers } from './offers.ts';
import { readBlockedTabs } from './thank-you/blocked-tabs.tsx';

afterEach(() => {
  jest.restoreAllMocks();
});

const blankTab = () => ({ opener: window as Window | null, closed: false, location: { replace: jest.fn() } });

test("openInNewTab opens a blank tab, resets its opener, and only then loads the sponsor's URL", () => {
  const tab = blankTab();
  tab.location.replace.mockImplementation(() => expect(tab.opener).toBeNull());
  const open = jest.spyOn(window, 'open').mockReturnValue(tab as never);
  expect(openInNewTab('https://sponsor.example/offer')).toBe(true);
  expect(open).toHaveBeenCalledWith('about:blank', '_blank');
  expect(tab.location.replace).toHaveBeenCalledWith('https://sponsor.example/offer');
});

describe('window.open of an extension or an in-app browser', () => {
  const throwing = new Proxy(
    {},
    {
      get: () => {
        throw new DOMException('Blocked a frame', 'SecurityError');
      },
    },
  );
  /** Imitations of content blockers: all functions do nothing, other properties are those of the page. */
  const imitation = new Proxy(window, {
    get: (page, name) => (name === 'closed' ? false : Reflect.get(page, name)),
  });
  const frame = {
    closed: false,
    frameElement: document.createElement('iframe'),
    location: { replace: () => undefined },
  };

  test.each<[string, () => unknown]>([
    ['returns undefined', () => undefined],
    ['returns null', () => null],
    ['returns true', () => true],
    ['returns a number', () => 1],
    ['returns a text', () => 'opened'],
    ['returns an empty object', () => ({})],
    ['returns a function', () => () => undefined],
    ['returns a promise', async () => null],
    ['returns a window whose properties throw', () => throwing],
    ['returns a frozen object', () => Object.freeze({ closed: false, location: { replace: () => undefined } })],
    ['returns an imitation of this window', () => imitation],
    ['returns this window', () => window],
    ['returns a hidden frame', () => frame],
    ['returns a tab that a blocker closed at once', () => ({ ...blankTab(), closed: true })],
    [
      'throws',
      () => {
        throw new TypeError('Illegal invocation');
      },
    ],
  ])('has opened no tab when it %s', (_what, open) => {
    const { opener } = window;
    jest.spyOn(window, 'open').mockImplementation(open as typeof window.open);
    expect(openInNewTab('https://sponsor.example/offer')).toBe(false);
    expect(window.opener).toBe(opener);
  });
});

describe('the blocked tabs in a history entry', () => {
  test('are known offers and a URL, whatever the entry’s state is', () => {
    const known = offers.map(({ id }) => id);
    const values = fc.oneof(fc.anything(), fc.array(fc.oneof(fc.constantFrom(...known), fc.anything())), fc.webUrl());
    const states = fc.oneof(fc.anything(), fc.record({ blockedOffers: values, blockedUrl: values }));
    fc.assert(
      fc.property(states, (state) => {
        const tabs = readBlockedTabs(state);
        expect(known).toEqual(expect.arrayContaining([...(tabs.offers ?? [])]));
        expect(tabs.url?.href ?? 'https://none').toMatch(/^https?:\/\//);
      }),
    );
  });

  test.each([
    ['are listed in order of priority', { blockedOffers: ['tmobile', 'vivint'] }, { offers: ['vivint', 'tmobile'] }],
    ['are empty if all offers opened', { blockedOffers: [] }, { offers: [] }],
    ['contain no unknown offer', { blockedOffers: ['vivint', 'yacht', 3] }, { offers: ['vivint'] }],
    [
      'contain a URL',
      { blockedUrl: 'https://sponsor.example/offer' },
      { url: { href: 'https://sponsor.example/offer', host: 'sponsor.example' } },
    ],
    ['contain no URL of another form', { blockedUrl: 'javascript:alert(1)' }, {}],
    ['are none in a text', 'text', {}],
    ['are none in values of other types', { blockedOffers: 'vivint', blockedUrl: ['https://a.example'] }, {}],
  ])('%s', (_fact, state, tabs) => {
    expect(readBlockedTabs(state)).toEqual({ offers: undefined, url: undefined, areOffersUnsaved: false, ...tabs });
  });
});

test.each([
  ['https://sponsor.example', 'https://sponsor.example/', 'sponsor.example'],
  ['http://sponsor.example/offer?id=1&to=a@b.c#top', undefined, 'sponsor.example'],
  ['HTTPS://Sponsor.Example:8443/x', 'https://sponsor.example:8443/x', 'sponsor.example:8443'],
  ['https://sponsor.example?next=//b.example', 'https://sponsor.example/?next=//b.example', 'sponsor.example'],
  ['https://münchen.example/', 'https://xn--mnchen-3ya.example/', 'xn--mnchen-3ya.example'],
  ['https://xn--80ak6aa92e.example/', undefined, 'xn--80ak6aa92e.example'],
  ['https://[::1]:8080/', undefined, '[::1]:8080'],
  ['https://sponsor.example/a+b?q=c+d', undefined, 'sponsor.example'],
  ['https://sponsor.example/a b?q=c d#e f', 'https://sponsor.example/a%20b?q=c%20d#e%20f', 'sponsor.example'],
])('the URL %p is %p, or as typed, and is shown as %p', (text, href = text, host) => {
  expect(parseWebUrl(text)).toEqual({ href, host });
});

/** Without white space and invisible characters. */
const visibleUrls = String.raw`
  sponsor.example www.sponsor.example/offer /thank-you ?url=x //sponsor.example \\sponsor.example /\sponsor.example
  https:\\sponsor.example https://sponsor.example\@evil.example https:sponsor.example https:/sponsor.example https://
  https:///sponsor.example https://?x javascript:alert(1) JavaScript://sponsor.example/%0aalert(1)
  data:text/html,<script>alert(1)</script> blob:https://sponsor.example/1 file:///etc/passwd ftp://sponsor.example
  mailto:reader@example.com view-source:https://sponsor.example https://bank.example@evil.example/
  https://user:secret@sponsor.example/ https://@sponsor.example/ +https://sponsor.example https://[::1/ https://%/
  https://sponsor.example:99999/`;

test.each([
  ...visibleUrls.trim().split(/\s+/),
  ...[null, undefined, 7, '', ' '],
  ...['java\nscript:alert(1)', 'ht\ntps://sponsor.example', ' https://sponsor.example', 'https://sponsor.example '],
  ...['https://spon sor.example', 'https://sponsor.example /offer', 'https://sponsor.example:443 /offer'],
  ...['https:// sponsor.example/offer', 'https://sponsor.example/a\u00a0b', 'https://spon\tsor.example'],
  ...['https://sponsor.example/\u0000', 'https://sponsor.example/\u202egpj.exe', 'https://spon\u200bsor.example'],
  `https://sponsor.example/${'a'.repeat(2048)}`,
])('%p is no URL of a website', (text) => {
  expect(parseWebUrl(text)).toBeUndefined();
});
