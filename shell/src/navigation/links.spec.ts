import { connectNavigation, type Navigate } from '@daybook/platform/host';
import { afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { remoteOf } from '../test/registered.ts';
import { followLinkClicks } from './links.ts';

const navigate = jest.fn<Navigate>();
/** jsdom can't follow a link; this records clicks left to the browser and prevents jsdom's error message. */
const leftToBrowser = jest.fn<(address: string) => void>();

beforeAll(() => {
  connectNavigation(navigate);
  followLinkClicks({ remotes: [remoteOf('mf-pages', ['/', '/terms', '/thank-you'])], missing: [] });
  window.addEventListener('click', (event) => {
    if (!event.defaultPrevented && event.target instanceof Element)
      leftToBrowser(event.target.closest('a')?.getAttribute('href') ?? 'no link');
    event.preventDefault();
  });
});
afterEach(() => {
  history.replaceState(null, '', '/');
  navigate.mockReset();
  leftToBrowser.mockReset();
});

/** Clicks the element with an id in this markup. */
function click(markup: string, options: MouseEventInit = {}): void {
  document.body.innerHTML = markup;
  const target = document.getElementById('target');
  target?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...options }));
}
const linkTo = (href: string, attributes = '') => `<a id="target" href="${href}" ${attributes}>x</a>`;

test.each([
  ['/terms', '/', '/terms'],
  ['/thank-you?id=7&email=a%40b.example#fees', '/', '/thank-you?id=7&email=a%40b.example#fees'],
  ['terms', '/', '/terms'],
  ['http://localhost/terms', '/', '/terms'],
  ['/#features', '/terms', '/#features'],
  // Replaces the entry of the history.
  ['/terms#fees', '/terms#fees', '/terms#fees', true],
])('a link to %s, pressed at %s, goes to %s without a page load', (href, from, to, replace = false) => {
  history.replaceState(null, '', from);
  click(linkTo(href));
  expect(navigate.mock.calls).toEqual([[to, { replace }]]);
  expect(leftToBrowser).not.toHaveBeenCalled();
  // Safari does not focus a pressed link, so that Back could not return there.
  expect(document.activeElement?.id).toBe('target');
});

test('a press on the content of a link counts, unless it is handled already', () => {
  click('<a href="/terms"><strong><svg id="target"></svg></strong></a>');
  click(linkTo('/terms', 'target="_self"'));
  document.body.addEventListener('click', (event) => event.preventDefault(), { once: true });
  click(linkTo('/terms'));
  expect(navigate.mock.calls).toEqual(Array(2).fill(['/terms', { replace: false }]));
});

const link = linkTo('/terms');
test.each<[string, string, string?, MouseEventInit?]>([
  ['with Ctrl', link, '/terms', { ctrlKey: true }],
  ['with Command', link, '/terms', { metaKey: true }],
  ['with the middle button', link, '/terms', { button: 1 }],
  ['on a link into a new tab', linkTo('/terms', 'target="_blank"'), '/terms'],
  ['on a link that downloads', linkTo('/terms', 'download'), '/terms'],
  ['on a link to another site', linkTo('https://example.com/terms'), 'https://example.com/terms'],
  ['on a link to a mailbox', linkTo('mailto:support@daybook.example'), 'mailto:support@daybook.example'],
  ['on a link to no page of the site', linkTo('/api/docs'), '/api/docs'],
  ['on a button', '<button id="target">x</button>'],
])('a click %s is left to the browser', (_what, markup, href = 'no link', ...[options]) => {
  click(markup, options);
  expect(leftToBrowser.mock.calls).toEqual([[href]]);
  expect(navigate).not.toHaveBeenCalled();
});
