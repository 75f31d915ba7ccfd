import type { PublicRegistry } from '@daybook/contract/release';
import { navigate, useLocation } from '@daybook/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { axe } from 'jest-axe';
import { type ComponentType, useEffect, useState } from 'react';
import { SiteRemotes } from '../remotes/site-remotes.ts';
import { takeBeacons } from '../test/beacons.ts';
import { mockRegistry } from '../test/mock-registry.ts';
import { releaseOf, remoteOf, routeOf } from '../test/registered.ts';
import { ScriptNetwork } from '../test/script-network.ts';
import { App } from './site.tsx';
import { createSiteRouter } from './site-router.tsx';

const network = new ScriptNetwork();
const moment = mockRegistry();
const beacons = takeBeacons();
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
  const { search = '' } = useLocation() ?? {};
  const [first] = useState(search);
  return <h1>First {first}</h1>;
}

function BrokenPage(): never {
  throw new TypeError('The page is broken.');
}

function PageThatLeaves() {
  useEffect(() => navigate(path.privacy, { replace: true }), []);
  return <h1>Leaving</h1>;
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
let registry: PublicRegistry;
let path: Record<'home' | 'terms' | 'privacy' | 'bare' | 'gone', string>;

beforeAll(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  // jsdom can't scroll.
  jest.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
beforeEach(() => {
  count += 1;
  const at = (name: string) => `/${name}-${count}`;
  path = { home: at('home'), terms: at('terms'), privacy: at('privacy'), bare: at('bare'), gone: at('gone') };
  const pages = {
    ...remoteOf(`mf-pages-${count}`, []),
    routes: [
      routeOf(path.home),
      routeOf(path.terms),
      routeOf(path.privacy, { frame: 'privacy' }),
      routeOf(path.bare, { frame: 'bare' }),
    ],
  };
  registry = { remotes: [pages, remoteOf(`mf-gone-${count}`, [path.gone])], missing: [] };
  network.servePages(pages, async () => ({ default: Page }));
  log.mockClear();
});
afterAll(() => {
  network.stop();
  jest.restoreAllMocks();
});

/** Opens the site at an address, as a document that came with a registry; returns its remotes. */
async function open(address: string, options: Partial<Parameters<typeof createSiteRouter>[0]> = {}) {
  window.history.replaceState(null, '', address);
  const remotes = new SiteRemotes(registry);
  // Suspended updates are flushed only if act is awaited.
  await act(async () => render(<App router={createSiteRouter({ registry, remotes, ...options })} />));
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
function servePages(component: ComponentType) {
  const [pages] = registry.remotes;
  if (pages) network.servePages(pages, async () => ({ default: component }));
}
const releaseAround = (element: HTMLElement) => element.closest('[data-remote]')?.getAttribute('data-remote');

describe('the page of a remote', () => {
  test.each(['', '/'])('is shown for its path, with its location, and marked with its release (%p)', async (slash) => {
    await open(`${path.terms}${slash}?id=7`);
    expect(releaseAround(await heading(`Page of ${path.terms}${slash}`))).toBe(`mf-pages-${count}@1.0.0-00000001`);
    expect(screen.getByText('Query: ?id=7')).toBeTruthy();
  });

  test.each([
    ['the site', 'home', 1, false],
    ['privacy choices', 'privacy', 1, true],
    ['nothing', 'bare', 0, false],
  ] as const)('is surrounded by the frame of its route: %s', async (_frame, page, footers, hasWayBack) => {
    await open(path[page]);
    await heading(`Page of ${path[page]}`);
    for (const role of ['contentinfo', 'banner']) expect(screen.queryAllByRole(role)).toHaveLength(footers);
    const links = (name: string) => screen.queryAllByRole('link', { name });
    expect([links('Skip to the content').length, links('Back to Home').length]).toEqual([footers, hasWayBack ? 1 : 0]);
  });
});

test.each(['/nowhere', '/terms-1/more', 'a known path in upper case'])(
  'the unknown path %s shows the texts of docs/product.md',
  async (address) => {
    await open(address.startsWith('/') ? address : path.terms.toUpperCase());
    await heading('404 Page Not Found');
    expect(screen.getByText('Did you forget to add the page to the router?')).toBeTruthy();
    expect(document.title).toBe('404 Page Not Found | Daybook');
  },
);

test('an unknown path may belong to a remote without a release, and is explained with its name', async () => {
  registry = { ...registry, missing: ['mf-press', 'mf-jobs'] };
  await open('/press');
  const alert = await screen.findByRole('alert');
  expect(alert.getAttribute('data-failed-remote')).toBe('mf-press mf-jobs');
  expect(within(alert).getByText('mf-jobs')).toBeTruthy();
  expect(within(alert).getByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(within(alert).getByRole('link', { name: /support/ })).toBeTruthy();
  expect(document.title).toBe('This page is not available right now | Daybook');
  expect((await axe(document.body)).violations).toEqual([]);
});

describe('each navigation', () => {
  test('changes the title and logs path and query to the console, after the first one, which the document logs', async () => {
    await open(`${path.home}?utm=x`);
    expect(document.title).toBe(`Title of ${path.home} | Daybook`);
    await goTo(`${path.terms}?id=7#fees`);
    expect(document.title).toBe(`Title of ${path.terms} | Daybook`);
    await goTo(path.terms);
    await goTo(path.terms);
    await goTo('/nowhere');
    expect(document.title).toBe('404 Page Not Found | Daybook');
    expect(log.mock.calls).toEqual([[`${path.terms}?id=7`], [path.terms], [path.terms], ['/nowhere']]);
  });

  test('shows a loaded page in the same step as its address', async () => {
    await open(path.home);
    await goTo(path.terms);
    await goTo(path.home);
    await act(async () => {
      navigate(path.terms);
      await null;
    });
    expect(screen.getByRole('heading', { level: 1, name: `Page of ${path.terms}` })).toBeTruthy();
    expect(document.title).toBe(`Title of ${path.terms} | Daybook`);
  });

  test('to another page before React has started shows that one, not the page that was loaded for the document', async () => {
    const first = { path: path.home, result: { page: { default: () => <h1>Loaded</h1> }, version: '1.0.0-00000001' } };
    await open(path.home, { first });
    await heading('Loaded');
    cleanup();
    await open(path.terms, { first });
    await heading(`Page of ${path.terms}`);
    await goTo(path.home);
    await heading(`Page of ${path.home}`);
  });

  test('from a page that leaves at once shows that page until the next one has loaded', async () => {
    const [pages] = registry.remotes;
    const components: Readonly<Record<string, ComponentType>> = { [path.home]: Page, [path.terms]: PageThatLeaves };
    const never = new Promise<never>(() => undefined);
    const routes = (pages?.routes ?? []).map((route) => ({
      ...route,
      page: async () => (components[route.path] ? { default: components[route.path] } : never),
    }));
    if (pages) network.serve(pages, { default: { name: pages.name, routes } });
    const remotes = await open(path.home);
    const found = pages?.routes.find((route) => route.path === path.terms);
    if (pages && found) await remotes.of({ remote: pages, route: found }).prefetch(path.terms);
    await goTo(path.terms);
    expect(screen.getByRole('heading', { level: 1, name: 'Leaving' })).toBeTruthy();
    expect(window.location.pathname).toBe(path.terms);
  });

  test('moves the focus to the heading of another page, but not on the first one, nor for another query or anchor', async () => {
    await open(path.home);
    await goTo(`${path.home}?page=2`);
    await goTo(`${path.home}#fees`);
    expect(document.activeElement).toBe(document.body);
    await goTo(path.terms);
    expect(document.activeElement).toBe(await heading(`Page of ${path.terms}`));
    await goTo('/nowhere');
    expect(document.activeElement).toBe(await heading('404 Page Not Found'));
  });

  test('returns the focus on Back and Forward to where the page was left, if that is known', async () => {
    const cookiePolicy = () => screen.getByRole('link', { name: 'Cookie Policy' });
    await open(path.home);
    await goTo(path.terms);
    await go(-1);
    expect(document.activeElement).toBe(await heading(`Page of ${path.home}`));
    cookiePolicy().focus();
    await go(1);
    expect(document.activeElement).toBe(await heading(`Page of ${path.terms}`));
    await go(-1);
    expect(document.activeElement).toBe(cookiePolicy());
  });
});

describe('the state of a page', () => {
  beforeEach(async () => {
    servePages(PageWithState);
    await open(`${path.terms}?a`);
    await heading('First ?a');
  });

  test('is kept when only query or anchor change', async () => {
    await goTo(`${path.terms}?b#fees`);
    await go(-1);
    await heading('First ?a');
  });

  test('ends with its visit: each visit of the same path has its own, also after a jump in the history', async () => {
    await goTo(path.home);
    await goTo(`${path.terms}?b`);
    await heading('First ?b');
    await go(-2);
    await heading('First ?a');
    await go(2);
    await heading('First ?b');
  });

  test('is kept at an anchor that an earlier visit of the path has too', async () => {
    const toAnchor = () =>
      act(async () => {
        window.location.hash = 'fees';
        await new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
      });
    await toAnchor();
    await goTo(path.home);
    await goTo(`${path.terms}?a`);
    const second = await heading('First ?a');
    await toAnchor();
    expect(await heading('First ?a')).toBe(second);
  });
});

test('an error in the frame is explained instead of leaving a blank page', async () => {
  await open(path.home, { onReady: () => BrokenPage() });
  await heading('Something went wrong');
  expect(screen.getByRole('button', { name: 'Reload the page' })).toBeTruthy();
});

test('a page whose elements were changed by a translator is rendered again, once, and not reported', async () => {
  servePages(TranslatedPage);
  await open(path.terms);
  await heading('Translated');
  expect(translated.failures).toBe(1);
  expect(await beacons.reports()).toEqual([]);
});

test('a page that can’t be loaded is explained with its remote, can be retried, and does not affect the rest', async () => {
  await open(path.gone);
  const alert = await screen.findByRole('alert');
  expect(alert.getAttribute('data-failed-remote')).toBe(`mf-gone-${count}@1.0.0-00000001`);
  expect(within(alert).getByText(`mf-gone-${count}@1.0.0-00000001`)).toBeTruthy();
  expect(screen.getAllByRole('contentinfo')).toHaveLength(1);
  await goTo(path.terms);
  await heading(`Page of ${path.terms}`);
  expect(screen.queryByRole('alert')).toBeNull();

  await goTo(path.gone);
  const button = () => screen.findByRole('button', { name: 'Try again' });
  const before = await button();
  await press(before);
  // During the retry the button ignores presses and retains the focus.
  await waitFor(async () => expect((await button()).getAttribute('aria-disabled')).toBeNull());
  await heading('This page is not available right now');
  expect(document.activeElement).toBe(before);
  const gone = registry.remotes.find(({ name }) => name.startsWith('mf-gone'));
  if (gone) network.servePages(gone, async () => ({ default: Page }));
  await press(await button());
  expect(document.activeElement).toBe(await heading(`Page of ${path.gone}`));
});

describe('a page that throws', () => {
  const older = '1.0.0-00000000';
  const reportOf = (version: string) => ({ remote: `mf-pages-${count}`, version, route: path.terms, kind: 'render' });

  /** Serves the remote's pages in the active and in the previous release. */
  function serve(page: ComponentType, olderPage: ComponentType) {
    const [pages] = registry.remotes;
    if (!pages) return;
    const previous = releaseOf(pages.name, older);
    network.servePages(pages, async () => ({ default: page }));
    network.servePages({ ...pages, ...previous }, async () => ({ default: olderPage }));
    moment.is({ ...registry, remotes: [{ ...pages, previous }] });
  }

  test.each([
    ['while it renders', BrokenPage],
    ['in an effect', PageBrokenInEffect],
  ])('%s is shown from the previous release, which its mark names, and reported', async (_when, page) => {
    serve(page, Page);
    await open(path.terms);
    expect(releaseAround(await heading(`Page of ${path.terms}`))).toBe(`mf-pages-${count}@${older}`);
    expect(await beacons.reports()).toEqual([reportOf('1.0.0-00000001')]);
    await goTo(path.home);
    expect(releaseAround(await heading(`Page of ${path.home}`))).toBe(`mf-pages-${count}@${older}`);
  });

  test('in each release is explained with the last one, can be retried, and be left', async () => {
    serve(BrokenPage, BrokenPage);
    await open(path.terms);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('(TypeError)');
    expect(alert.getAttribute('data-failed-remote')).toBe(`mf-pages-${count}@${older}`);
    expect(await beacons.reports()).toEqual([reportOf('1.0.0-00000001'), reportOf(older)]);

    await press(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('alert');
    expect(await beacons.reports()).toHaveLength(2);
    await goTo('/nowhere');
    await heading('404 Page Not Found');
  });
});
