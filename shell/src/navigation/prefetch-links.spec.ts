import { beforeAll, expect, jest, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { SiteRemotes } from '../remotes/site-remotes.ts';
import { indexWith, mockNetwork } from '../test/mock-network.ts';
import { remoteOf } from '../test/registered.ts';
import { prefetchLinks } from './prefetch-links.ts';

const network = mockNetwork();
const names = ['mf-pointer', 'mf-focus', 'mf-read', 'mf-passed', 'mf-footer', 'mf-last'];
const remotes = names.map((name) => remoteOf(name, [`/${name}`]));
const entryOf = (name: string) => remotes.find((remote) => remote.name === name)?.entry;

/** Reports that elements are in view or no longer; jsdom lacks the browser's observer. */
let report: (entries: readonly { readonly target: Element; readonly isIntersecting: boolean }[]) => void;
const observed = new Set<Element>();
class ElementsInView implements Pick<IntersectionObserver, 'observe'> {
  constructor(onChange: typeof report) {
    report = onChange;
  }

  observe(element: Element): void {
    observed.add(element);
  }
}

beforeAll(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  Object.defineProperty(globalThis, 'IntersectionObserver', { configurable: true, value: ElementsInView });
  const index = indexWith(...remotes);
  prefetchLinks(index, new SiteRemotes(index));
  for (const remote of remotes) network.serve(remote, async () => ({ default: () => null }));
});

function show(markup: string): HTMLElement {
  document.body.innerHTML = markup;
  return document.body.querySelector<HTMLElement>('#target') ?? document.body;
}
const pointAt = (element: HTMLElement) => element.dispatchEvent(new Event('pointerover', { bubbles: true }));
const link = (to: string) => `<a id="target" href="${to}">x</a>`;

test('a page is prefetched on hover and focus of its link, once', async () => {
  const target = show('<a href="/mf-focus"><span id="target">x</span></a>');
  (target.closest('a') as HTMLElement).focus();
  await waitFor(() => expect(network.downloads).toEqual([entryOf('mf-focus')]));
  pointAt(target);
  pointAt(show(link('/mf-pointer')));
  await waitFor(() => expect(network.downloads).toEqual([entryOf('mf-focus'), entryOf('mf-pointer')]));
  expect(network.requests).toEqual([]);
});

test.each([
  ['is visible for a second', 'main', 'mf-read', 1_000, true],
  ['is scrolled past', 'main', 'mf-passed', 999, false],
  ['is visible in the footer', 'footer', 'mf-footer', 5_000, false],
])('prefetches a page whose link %s: in the %s, %s, after %i ms: %p', async (_how, place, name, ms, isPrefetched) => {
  jest.useFakeTimers();
  const target = show(`<${place}>${link(`/${name}`)}</${place}>`);
  await jest.advanceTimersByTimeAsync(0);
  const setVisible = (isIntersecting: boolean) => observed.has(target) && report([{ target, isIntersecting }]);
  setVisible(true);
  await jest.advanceTimersByTimeAsync(ms);
  setVisible(false);
  await jest.advanceTimersByTimeAsync(10_000);
  jest.useRealTimers();
  expect(network.downloads).toEqual(isPrefetched ? [entryOf(name)] : []);
});

test('nothing is prefetched for visitors who save data, or of other sites', async () => {
  Object.defineProperty(navigator, 'connection', { configurable: true, value: { saveData: true } });
  pointAt(show(link('/mf-passed')));
  Reflect.deleteProperty(navigator, 'connection');
  for (const other of ['https://example.com/mf-passed', '/nowhere', '/mf-last']) pointAt(show(link(other)));
  await waitFor(() => expect(network.downloads).toContain(entryOf('mf-last')));
  expect(network.downloads).toEqual([entryOf('mf-last')]);
});
