import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { remoteOf } from '../test/registered.ts';
import { ScriptNetwork } from '../test/script-network.ts';
import { prefetchLinks } from './prefetch-links.ts';
import { SiteRemotes } from './site-remotes.ts';

type Report = (entries: readonly { readonly target: Element; readonly isIntersecting: boolean }[]) => void;

/** Mocks the browser's IntersectionObserver, which jsdom lacks: tests define which elements are visible. */
class ElementsInView implements Pick<IntersectionObserver, 'observe'> {
  static readonly #all = new Set<ElementsInView>();
  readonly #report: Report;
  readonly #observed = new Set<Element>();

  static install(): void {
    Object.defineProperty(globalThis, 'IntersectionObserver', { configurable: true, value: ElementsInView });
  }

  /** Makes an observed element visible or invisible. */
  static set(target: Element, isIntersecting: boolean): void {
    for (const observer of ElementsInView.#all)
      if (observer.#observed.has(target)) observer.#report([{ target, isIntersecting }]);
  }

  constructor(report: Report) {
    this.#report = report;
    ElementsInView.#all.add(this);
  }

  observe(element: Element): void {
    this.#observed.add(element);
  }
}

describe('links before a press', () => {
  const network = new ScriptNetwork();
  const names = ['mf-pointer', 'mf-focus', 'mf-gone', 'mf-read', 'mf-passed', 'mf-footer', 'mf-last'];
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

  test.each([
    ['on hover of an element inside of its link', 'mf-pointer', pointAt],
    ['on focus of its link', 'mf-focus', (target: HTMLElement) => (target.closest('a') as HTMLElement).focus()],
  ])('prefetch a page %s, once', async (_how, name, touch) => {
    const target = show(`<a href="/${name}"><span id="target">x</span></a>`);
    touch(target);
    await waitFor(() => expect(network.requests).toEqual([entryOf(name)]));
    touch(target);
    pointAt(target);
    pointAt(show('<a id="target" href="/mf-gone">x</a>'));
    await waitFor(() => expect(network.requests).toContain(entryOf('mf-gone')));
    expect(network.requests.filter((address) => address === entryOf(name))).toHaveLength(1);
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
