import { connectNavigation, type Navigate } from '@daybook/platform/host';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { registryOf } from '../test/registered.ts';
import { followLinkClicks } from './links.ts';

const navigate = jest.fn<Navigate>();

/** jsdom can't follow a link; where one is left to the browser, this sees it and keeps jsdom from complaining. */
const leftToBrowser = jest.fn<(address: string) => void>();

beforeAll(() => {
  connectNavigation(navigate);
  followLinkClicks(registryOf('/', '/terms', '/thank-you'));
  window.addEventListener('click', (event) => {
    if (!event.defaultPrevented && event.target instanceof Element) {
      leftToBrowser(event.target.closest('a')?.getAttribute('href') ?? 'no link');
    }
    event.preventDefault();
  });
});
afterEach(() => {
  document.body.replaceChildren();
  history.replaceState(null, '', '/');
  navigate.mockReset();
  leftToBrowser.mockReset();
});

/** Clicks the element marked with an id in this markup. */
function click(markup: string, options: MouseEventInit = {}): void {
  document.body.innerHTML = markup;
  const target = document.getElementById('target');
  target?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...options }));
}

describe('a click on a link to a page of the site', () => {
  test.each([
    ['/terms', '/terms'],
    ['/thank-you?id=7&email=a%40b.example', '/thank-you?id=7&email=a%40b.example'],
    ['/terms#fees', '/terms#fees'],
    ['terms', '/terms'],
    ['http://localhost/terms', '/terms'],
  ])('%s goes to %s without a page load', (href, to) => {
    click(`<a id="target" href="${href}">Terms</a>`);
    expect(navigate.mock.calls).toEqual([[to]]);
    expect(leftToBrowser).not.toHaveBeenCalled();
  });

  test('counts on what is inside of the link too', () => {
    click('<a href="/terms"><strong><svg id="target"></svg></strong></a>');
    expect(navigate.mock.calls).toEqual([['/terms']]);
  });

  test('may name its own tab', () => {
    click('<a id="target" href="/terms" target="_self">Terms</a>');
    expect(navigate.mock.calls).toEqual([['/terms']]);
  });

  test('to an anchor on the home page leads there from another page', () => {
    history.replaceState(null, '', '/terms');
    click('<a id="target" href="/#features">Features</a>');
    expect(navigate.mock.calls).toEqual([['/#features']]);
  });

  test('that somebody has handled already is over', () => {
    document.body.addEventListener('click', (event) => event.preventDefault(), { once: true });
    click('<a id="target" href="/terms">Terms</a>');
    expect(navigate).not.toHaveBeenCalled();
  });
});

describe('left to the browser', () => {
  test.each<[string, MouseEventInit]>([
    ['Ctrl', { ctrlKey: true }],
    ['Command', { metaKey: true }],
    ['Shift', { shiftKey: true }],
    ['Alt', { altKey: true }],
    ['the middle button', { button: 1 }],
  ])('is a click with %s', (_what, options) => {
    click('<a id="target" href="/terms">Terms</a>', options);
    expect(leftToBrowser.mock.calls).toEqual([['/terms']]);
    expect(navigate).not.toHaveBeenCalled();
  });

  test.each([
    ['into a new tab', '<a id="target" href="/terms" target="_blank">x</a>', '/terms'],
    ['that downloads', '<a id="target" href="/terms" download>x</a>', '/terms'],
    ['to another site', '<a id="target" href="https://example.com/terms">x</a>', 'https://example.com/terms'],
    ['to another port', '<a id="target" href="http://localhost:9000/terms">x</a>', 'http://localhost:9000/terms'],
    ['to a mailbox', '<a id="target" href="mailto:support@daybook.example">x</a>', 'mailto:support@daybook.example'],
    ['to a script', '<a id="target" href="javascript:void(0)">x</a>', 'javascript:void(0)'],
    ['to an anchor of this page', '<a id="target" href="#features">x</a>', '#features'],
    ['to an anchor of this page by its path', '<a id="target" href="/#features">x</a>', '/#features'],
    ['to no page of the site', '<a id="target" href="/api/docs">x</a>', '/api/docs'],
    ['to a page by another address than its own', '<a id="target" href="/terms/">x</a>', '/terms/'],
  ])('is a link %s', (_where, markup, href) => {
    click(markup);
    expect(leftToBrowser.mock.calls).toEqual([[href]]);
    expect(navigate).not.toHaveBeenCalled();
  });

  test.each(['<button id="target">x</button>', '<a id="target">x</a>', '<p id="target">x</p>'])(
    'is a click on no link: %s',
    (markup) => {
      click(markup);
      expect(leftToBrowser).toHaveBeenCalledTimes(1);
      expect(navigate).not.toHaveBeenCalled();
    },
  );
});
