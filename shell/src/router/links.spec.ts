import { connectNavigation, type Navigate } from '@daybook/platform/host';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { SiteRemotes } from '../remotes/site-remotes.ts';
import { ElementsInView } from '../test/elements-in-view.ts';
import { registryOf, remoteOf } from '../test/registered.ts';
import { ScriptNetwork } from '../test/script-network.ts';
import { followLinkClicks, prefetchLinks } from './links.ts';

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
    ])('%s goes to %s without a page load', (href, to) => {
      click(`<a id="target" href="${href}">Terms</a>`);
      expect(navigate.mock.calls).toEqual([[to]]);
      expect(leftToBrowser).not.toHaveBeenCalled();
    });

    test('works on an element inside of the link too', () => {
      click('<a href="/terms"><strong><svg id="target"></svg></strong></a>');
      expect(navigate.mock.calls).toEqual([['/terms']]);
    });

    test('works with an explicit target in its own tab', () => {
      click('<a id="target" href="/terms" target="_self">Terms</a>');
      expect(navigate.mock.calls).toEqual([['/terms']]);
    });

    test('to an anchor on the home page navigates there from another page', () => {
      history.replaceState(null, '', '/terms');
      click('<a id="target" href="/#features">Features</a>');
      expect(navigate.mock.calls).toEqual([['/#features']]);
    });

    test('is ignored if another handler has handled it', () => {
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
});

describe('links before a press', () => {
  const network = new ScriptNetwork();
  const names = ['mf-pointer', 'mf-focus', 'mf-gone', 'mf-other', 'mf-read', 'mf-passed', 'mf-footer', 'mf-last'];
  const remotes = names.map((name) => remoteOf(name, [`/${name}`]));
  const entryOf = (name: string) => remotes.find((remote) => remote.name === name)?.entry;

  beforeAll(() => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    ElementsInView.install();
    const registry = { remotes, missing: [] };
    prefetchLinks(registry, new SiteRemotes(registry));
    for (const remote of remotes)
      if (remote.name !== 'mf-gone') network.servePages(remote, async () => ({ default: () => null }));
  });
  beforeEach(() => {
    network.requests.length = 0;
  });
  afterAll(() => {
    network.stop();
    jest.restoreAllMocks();
  });

  function show(markup: string): HTMLElement {
    document.body.innerHTML = markup;
    return document.body.querySelector<HTMLElement>('#target') ?? document.body;
  }
  const pointAt = (element: HTMLElement) => element.dispatchEvent(new Event('pointerover', { bubbles: true }));

  describe('prefetches a page', () => {
    test('on hover of an element inside of its link', async () => {
      pointAt(show('<a href="/mf-pointer"><span id="target">x</span></a>'));
      await waitFor(() => expect(network.requests).toEqual([entryOf('mf-pointer')]));
    });

    test('on focus of its link', async () => {
      show('<a id="target" href="/mf-focus">x</a>').focus();
      await waitFor(() => expect(network.requests).toEqual([entryOf('mf-focus')]));
    });

    test('once, however often the pointer enters', async () => {
      const link = show('<a id="target" href="/mf-other">x</a>');
      pointAt(link);
      await waitFor(() => expect(network.requests).toEqual([entryOf('mf-other')]));
      pointAt(link);
      link.focus();
      pointAt(show('<a id="target" href="/mf-gone">x</a>'));
      await waitFor(() => expect(network.requests).toContain(entryOf('mf-gone')));
      expect(network.requests.filter((address) => address === entryOf('mf-other'))).toHaveLength(1);
    });
  });

  describe('a visible link', () => {
    beforeEach(() => {
      jest.useFakeTimers();
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    /** Shows a link, waits until the page notices it, and leaves it visible for some ms. */
    async function showFor(markup: string, duration: number): Promise<void> {
      const link = show(markup);
      await jest.advanceTimersByTimeAsync(0);
      ElementsInView.set(link, true);
      await jest.advanceTimersByTimeAsync(duration);
      ElementsInView.set(link, false);
      await jest.advanceTimersByTimeAsync(10_000);
    }

    test('is prefetched after a second', async () => {
      await showFor('<main><a id="target" href="/mf-read">x</a></main>', 1_000);
      expect(network.requests).toEqual([entryOf('mf-read')]);
    });

    test('is not prefetched if it is scrolled past, or belongs to the footer', async () => {
      await showFor('<main><a id="target" href="/mf-passed">x</a></main>', 999);
      await showFor('<footer><a id="target" href="/mf-footer">x</a></footer>', 5_000);
      expect(network.requests).toEqual([]);
    });
  });

  test('prefetches nothing for a visitor who saves data', async () => {
    Object.defineProperty(navigator, 'connection', { configurable: true, value: { saveData: true } });
    pointAt(show('<a id="target" href="/mf-passed">x</a>'));
    Reflect.deleteProperty(navigator, 'connection');
    pointAt(show('<a id="target" href="/mf-footer">x</a>'));
    await waitFor(() => expect(network.requests).toEqual([entryOf('mf-footer')]));
  });

  test('prefetches nothing for a link to another site, to an unknown path, or without a link', async () => {
    pointAt(show('<a id="target" href="https://example.com/mf-gone">x</a>'));
    pointAt(show('<a id="target" href="/nowhere">x</a>'));
    pointAt(show('<p id="target">x</p>'));
    pointAt(show('<a id="target" href="/mf-last">x</a>'));
    await waitFor(() => expect(network.requests).toContain(entryOf('mf-last')));
    expect(network.requests).toEqual([entryOf('mf-last')]);
  });
});
