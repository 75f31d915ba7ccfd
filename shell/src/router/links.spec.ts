import { connectNavigation, type Navigate } from '@daybook/platform/host';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { registryOf } from '../test/registered.ts';
import { followLinkClicks } from './links.ts';

describe('pressed links', () => {
  const navigate = jest.fn<Navigate>();

  /** jsdom can't follow a link; this records clicks left to the browser and prevents jsdom's error message. */
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

  /** Clicks the element with an id in this markup. */
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
      ['#features', '/#features'],
      ['/#features', '/#features'],
    ])('%s goes to %s without a page load', (href, to) => {
      click(`<a id="target" href="${href}">Terms</a>`);
      expect(navigate.mock.calls).toEqual([[to, { replace: false }]]);
      expect(leftToBrowser).not.toHaveBeenCalled();
    });

    test.each([
      ['on an element inside of the link', '<a href="/terms"><strong><svg id="target"></svg></strong></a>'],
      ['with an explicit target in its own tab', '<a id="target" href="/terms" target="_self">Terms</a>'],
    ])('works %s too', (_where, markup) => {
      click(markup);
      expect(navigate.mock.calls).toEqual([['/terms', { replace: false }]]);
    });

    test.each([
      ['/terms#fees', '/terms#fees', true],
      ['/terms', '/#features', false],
    ])('at %s to %s replaces the entry of the history if that is the address that is shown', (from, to, replace) => {
      history.replaceState(null, '', from);
      click(`<a id="target" href="${to}">x</a>`);
      expect(navigate.mock.calls).toEqual([[to, { replace }]]);
      // Safari does not focus a pressed link, so that Back could not return there.
      expect(document.activeElement?.id).toBe('target');
    });

    test('is ignored if another handler has handled it', () => {
      document.body.addEventListener('click', (event) => event.preventDefault(), { once: true });
      click('<a id="target" href="/terms">Terms</a>');
      expect(navigate).not.toHaveBeenCalled();
    });
  });

  describe('left to the browser', () => {
    const link = '<a id="target" href="/terms">x</a>';
    test.each<[string, string, string, MouseEventInit?]>([
      ['pressed with Ctrl', link, '/terms', { ctrlKey: true }],
      ['pressed with Command', link, '/terms', { metaKey: true }],
      ['pressed with Shift', link, '/terms', { shiftKey: true }],
      ['pressed with Alt', link, '/terms', { altKey: true }],
      ['pressed with the middle button', link, '/terms', { button: 1 }],
      ['into a new tab', '<a id="target" href="/terms" target="_blank">x</a>', '/terms'],
      ['that downloads', '<a id="target" href="/terms" download>x</a>', '/terms'],
      ['to another site', '<a id="target" href="https://example.com/terms">x</a>', 'https://example.com/terms'],
      ['to another port', '<a id="target" href="http://localhost:9000/terms">x</a>', 'http://localhost:9000/terms'],
      ['to a mailbox', '<a id="target" href="mailto:support@daybook.example">x</a>', 'mailto:support@daybook.example'],
      ['to a script', '<a id="target" href="javascript:void(0)">x</a>', 'javascript:void(0)'],
      ['to no page of the site', '<a id="target" href="/api/docs">x</a>', '/api/docs'],
      ['to a page by another address than its own', '<a id="target" href="/terms/">x</a>', '/terms/'],
    ])('is a link %s', (_where, markup, href, ...[options]) => {
      click(markup, options);
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
});
