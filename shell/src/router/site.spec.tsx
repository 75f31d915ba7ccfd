import type { RegisteredRemote, RemoteIndex } from '@daybook/contract/release';
import { navigate, useLocation } from '@daybook/platform';
import { accessibilityViolations } from '@daybook/testing/axe';
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, render, screen, within } from '@testing-library/react';
import { type ComponentType, useEffect, useState } from 'react';
import { SiteRemotes } from '../remotes/site-remotes.ts';
import { indexWith, mockNetwork } from '../test/mock-network.ts';
import { releaseOf, remoteOf, routeOf } from '../test/registered.ts';
import { App } from './site.tsx';
import { createSiteRouter } from './site-router.tsx';

const network = mockNetwork();
const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);

/** A page that shows its location. */
function Page() {
  const location = useLocation();
  return (
    <>
      <h1>Page of {location?.pathname}</h1>
      <p>Query: {location?.search}</p>
    </>
  );
}

/** A page with a state: the query of its first location. */
function PageWithState() {
  const location = useLocation();
  const [first] = useState(location?.search);
  return <h1>First {first}</h1>;
}

function BrokenPage(): never {
  throw new TypeError('The page is broken.');
}

function PageBrokenInEffect() {
  useEffect(() => BrokenPage());
  return null;
}

const translated = { failures: 0 };

/** A page that fails once, like React on elements that a translator has replaced. */
function TranslatedPage() {
  useEffect(() => {
    if (translated.failures > 0) return;
    translated.failures += 1;
    throw new DOMException('The node to be removed is not a child of this node.', 'NotFoundError');
  }, []);
  return <h1>Translated</h1>;
}

/** State of a remote outlives a test, so each has separate remotes. */
let count = 0;
let pages: RegisteredRemote;
let index: RemoteIndex;
let path: Record<'home' | 'terms' | 'privacy' | 'bare', string>;

beforeAll(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  // jsdom can't scroll.
  jest.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
beforeEach(() => {
  count += 1;
  const at = (name: string) => `/${name}-${count}`;
  path = { home: at('home'), terms: at('terms'), privacy: at('privacy'), bare: at('bare') };
  pages = {
    ...remoteOf(`mf-pages-${count}`, []),
    routes: [
      routeOf(path.home),
      routeOf(path.terms),
      routeOf(path.privacy, { frame: 'privacy' }),
      routeOf(path.bare, { frame: 'bare' }),
    ],
  };
  index = indexWith(pages);
  network.serve(pages, async () => ({ default: Page }));
  log.mockClear();
});
/** A router that is left open would follow the history of the next document. */
let closeDocument = () => {};

/** Opens the site at an address, as a document that came with a remote index; returns its remotes. */
async function open(address: string, options: Partial<Parameters<typeof createSiteRouter>[0]> = {}) {
  window.history.replaceState(null, '', address);
  const remotes = new SiteRemotes(index);
  closeDocument();
  const router = createSiteRouter({ index, remotes, ...options });
  closeDocument = () => router.dispose();
  // Suspended updates are flushed only if act is awaited.
  await act(async () => render(<App router={router} />));
  await screen.findByRole('heading', { level: 1 });
  return remotes;
}

const goTo = (address: string) => act(async () => navigate(address));
/** Goes back or forward in the browser's history. */
const go = (steps: number) =>
  act(async () => {
    const gone = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    window.history.go(steps);
    await gone;
  });
/** Not by userEvent, whose act is not awaited, which suspended updates require. */
const press = (button: HTMLElement) =>
  act(async () => {
    button.focus();
    button.click();
  });
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

/** Serves this as every page of the first remote. */
const servePages = (component: ComponentType) => network.serve(pages, async () => ({ default: component }));
const releaseAround = (element: HTMLElement) => element.closest('[data-remote]')?.getAttribute('data-remote');

test.each([
  ['the site', 'home', 1, 0, ''],
  ['the site', 'terms', 1, 0, '/'],
  ['privacy choices', 'privacy', 1, 1, ''],
  ['nothing', 'bare', 0, 0, ''],
] as const)(
  'a page is shown with its location, its release and its frame: %s around %s',
  async (_frame, page, footers, waysBack, slash) => {
    await open(`${path[page]}${slash}?id=7`);
    const title = await heading(`Page of ${path[page]}${slash}`);
    expect(releaseAround(title)).toBe(`mf-pages-${count}@1.0.0-00000001`);
    expect(screen.getByText('Query: ?id=7')).toBeTruthy();
    for (const role of ['contentinfo', 'banner']) expect(screen.queryAllByRole(role)).toHaveLength(footers);
    const links = (name: string) => screen.queryAllByRole('link', { name });
    expect([links('Skip to content').length, links('Back to Home').length]).toEqual([footers, waysBack]);
  },
);

test('an unknown path shows the texts of docs/product.md', async () => {
  await open('/nowhere');
  await heading('404 Page Not Found');
  expect(screen.getByText('Did you forget to add the page to the router?')).toBeTruthy();
  expect(document.title).toBe('404 Page Not Found | Daybook');
});

test('an unknown path may belong to a remote without a release, which is named', async () => {
  index = { ...index, missing: ['mf-press', 'mf-jobs'] };
  await open('/press');
  const alert = await screen.findByRole('alert');
  expect(alert.getAttribute('data-failed-remote')).toBe('mf-press mf-jobs');
  expect(within(alert).getByText('mf-jobs')).toBeTruthy();
  expect(within(alert).getByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(within(alert).getByRole('link', { name: /support/ })).toBeTruthy();
  expect(document.title).toBe('This page isn’t available right now | Daybook');
  expect(await accessibilityViolations(document.body)).toEqual([]);
});

test('a navigation changes the title, is logged, and focuses the heading', async () => {
  await open(`${path.home}?utm=x`);
  expect(document.title).toBe(`Title of ${path.home} | Daybook`);
  await goTo(`${path.home}?utm=x#fees`);
  expect(document.activeElement).toBe(document.body);
  await goTo(`${path.home}?page=2`);
  expect(document.activeElement).toBe(await heading(`Page of ${path.home}`));
  await goTo(`${path.terms}?id=7#fees`);
  expect(document.title).toBe(`Title of ${path.terms} | Daybook`);
  expect(document.activeElement).toBe(await heading(`Page of ${path.terms}`));
  await goTo(path.terms);
  await goTo('/nowhere');
  expect(document.title).toBe('404 Page Not Found | Daybook');
  expect(document.activeElement).toBe(await heading('404 Page Not Found'));
  const logged = [`${path.home}?utm=x`, `${path.home}?page=2`, `${path.terms}?id=7`, path.terms, '/nowhere'];
  expect(log.mock.calls).toEqual(logged.map((line) => [line]));
});

test('a page that takes long to load is announced', async () => {
  network.serve(pages, (to) => (to === path.terms ? new Promise(() => undefined) : { default: Page }));
  await open(path.home);
  await goTo(path.terms);
  expect(screen.getByText('Loading the page').closest('[aria-live=polite]')).not.toBeNull();
});

test('a remote that navigates to a former path gets the page of today', async () => {
  index = indexWith({ ...pages, redirects: { '/old': path.terms } });
  await open(path.home);
  await goTo('/old?id=7');
  await heading(`Page of ${path.terms}`);
  expect(screen.getByText('Query: ?id=7')).toBeTruthy();
});

test('the state of a page is kept at an anchor; each visit of the path has its own', async () => {
  servePages(PageWithState);
  await open(`${path.terms}?a`);
  await goTo(`${path.terms}?b#fees`);
  await heading('First ?a');
  await go(-1);
  await heading('First ?a');
  await goTo(path.home);
  await goTo(`${path.terms}?b`);
  await heading('First ?b');
  await go(-2);
  await heading('First ?a');
});

test('an error in the frame is explained instead of leaving a blank page', async () => {
  await open(path.home, { onReady: () => BrokenPage() });
  await heading('Something went wrong');
  expect(screen.getByRole('button', { name: 'Reload the page' })).toBeTruthy();
});

test('a page that a translator has changed is rendered again, and not reported', async () => {
  servePages(TranslatedPage);
  await open(path.terms);
  await heading('Translated');
  expect(translated.failures).toBe(1);
  expect(await network.reports()).toEqual([]);
});

test('a page has no location while the browser prerenders it', async () => {
  Object.defineProperty(document, 'prerendering', { configurable: true, value: true });
  await open(path.terms);
  await heading('Page of');
  Reflect.deleteProperty(document, 'prerendering');
  act(() => void document.dispatchEvent(new Event('prerenderingchange')));
  await heading(`Page of ${path.terms}`);
});

describe('a page that throws', () => {
  const older = '1.0.0-00000000';
  const reportOf = (version: string) => ({ remote: `mf-pages-${count}`, version, route: path.terms, kind: 'render' });

  /** Serves the remote's pages in the active and in the previous release. */
  function serve(page: ComponentType, olderPage: ComponentType) {
    const previous = releaseOf(pages.name, older);
    servePages(page);
    network.serve({ ...pages, ...previous }, async () => ({ default: olderPage }));
    network.register(() => ({ ...index, remotes: [{ ...pages, previous }] }));
  }

  test.each([
    ['while it renders', BrokenPage],
    ['in an effect', PageBrokenInEffect],
  ])('%s is shown from the previous release, which its mark names, and reported', async (_when, page) => {
    serve(page, Page);
    await open(path.terms);
    expect(releaseAround(await heading(`Page of ${path.terms}`))).toBe(`mf-pages-${count}@${older}`);
    expect(await network.reports()).toEqual([reportOf('1.0.0-00000001')]);
    await goTo(path.home);
    expect(releaseAround(await heading(`Page of ${path.home}`))).toBe(`mf-pages-${count}@${older}`);
  });

  test('in each release is explained, can be retried, and be left', async () => {
    serve(BrokenPage, BrokenPage);
    await open(path.terms);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('(TypeError)');
    expect(alert.getAttribute('data-failed-remote')).toBe(`mf-pages-${count}@${older}`);
    expect(await network.reports()).toEqual([reportOf('1.0.0-00000001'), reportOf(older)]);

    await press(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('alert');
    expect(await network.reports()).toHaveLength(2);
    await goTo('/nowhere');
    await heading('404 Page Not Found');
  });
});
