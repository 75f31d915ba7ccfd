import type { RegisteredRelease, RegisteredRemote } from '@daybook/contract/release';
import type { PageModule } from '@daybook/platform/define-remote';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { takeBeacons } from '../test/beacons.ts';
import { mockRegistry } from '../test/mock-registry.ts';
import { onlyRouteOf, releaseOf, remoteOf, routeOf, unchecked } from '../test/registered.ts';
import { ScriptNetwork } from '../test/script-network.ts';
import { SiteRemotes } from './site-remotes.ts';

const network = new ScriptNetwork();
const registry = mockRegistry();
const beacons = takeBeacons();
const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
beforeAll(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
beforeEach(() => {
  network.requests.length = 0;
  network.integrities.length = 0;
});
afterEach(() => {
  jest.useRealTimers();
});
afterAll(() => {
  network.stop();
  jest.restoreAllMocks();
});

const pageOf = (text: string): PageModule => ({ default: () => <h1>{text}</h1> });
const page = pageOf('News');
const olderPage = pageOf('Older news');

const older = '1.0.0-00000000';
const newer = '1.0.1-00000002';

/** Reports and executed releases outlive a test, so each has a separate remote. */
let count = 0;
let remote: RegisteredRemote;
let previous: RegisteredRelease;
beforeEach(() => {
  count += 1;
  remote = remoteOf(`mf-news-${count}`, [`/news-${count}`]);
  previous = releaseOf(remote.name, older);
});
const inAnotherVersion = (version: string) => remoteOf(remote.name, [`/news-${count}`], { version });
const serve = (version: string, served: PageModule) =>
  network.servePages(inAnotherVersion(version), async () => served);
/** The registry that visitors get from now on. */
const register = (...remotes: readonly RegisteredRemote[]) => registry.is({ remotes, missing: [] });
/** A document that came with these remotes, and navigations in it. */
function open(...remotes: readonly RegisteredRemote[]) {
  const site = new SiteRemotes({ remotes, missing: [] });
  return {
    remote: site.of({ remote, route: remote.routes[0] ?? routeOf('/') }),
    load: (registered = onlyRouteOf(remote), signal = new AbortController().signal) =>
      site.of(registered).load(registered.route.path, signal),
  };
}

const fails = (kind: 'load' | 'render', version = remote.version) => ({
  remote: remote.name,
  version,
  route: `/news-${count}`,
  kind,
});

describe('loading a page', () => {
  test('returns the page of the route and its version, from the verified entry of its remote', async () => {
    network.servePages(remote, async () => page);
    expect(await open(remote).load()).toEqual({ page, version: remote.version });
    expect(network.requests).toEqual([remote.entry]);
    expect(network.integrities).toEqual([remote.integrity?.['remoteEntry.00000001.js']]);
  });

  test('requests each entry and page once, however often it is called, also by a prefetch', async () => {
    remote = { ...remote, routes: [routeOf('/first'), routeOf('/second')] };
    const load = jest.fn(async () => page);
    network.servePages(remote, load);
    const document = open(remote);
    const [first, second] = remote.routes.map((route) => ({ remote, route }));
    document.remote.prefetch('/first');
    await Promise.all([document.load(first), document.load(first)]);
    await document.load(second);
    expect(network.requests).toEqual([remote.entry]);
    expect(load).toHaveBeenCalledTimes(2);
    expect(registry.requestCount()).toBe(0);
  });
});

describe('a load that fails', () => {
  test('is retried once at once, and not reported if that succeeds', async () => {
    network.servePages(remote, jest.fn(async () => page).mockRejectedValueOnce(new Error('Loading chunk 127 failed.')));
    expect(await open(remote).load()).toEqual({ page, version: remote.version });
    expect(network.requests).toEqual([remote.entry]);
    expect(await beacons.reports()).toEqual([]);
  });

  test('is reported once with the remote and its version after the retry', async () => {
    const document = open(remote);
    for (let time = 0; time < 2; time += 1) {
      await expect(document.load()).rejects.toMatchObject({
        name: 'PageLoadError',
        message: `/news-${count} of ${remote.name}@1.0.0-00000001 could not be loaded.`,
        version: remote.version,
      });
    }
    expect(network.requests).toEqual(Array(4).fill(remote.entry));
    expect(await beacons.read()).toEqual([
      { address: '/_reports', type: 'application/json', text: JSON.stringify(fails('load')) },
    ]);
    network.servePages(remote, async () => page);
    expect(await document.load()).toEqual({ page, version: remote.version });
    expect(warn).not.toHaveBeenCalled();
  });

  test.each([
    ['no module', undefined],
    ['something else', { default: { routes: 'none' } }],
    ['a definition without the route', { default: { routes: [] } }],
  ])('includes an entry that exposes %s', async (_what, exposed) => {
    network.serve(remote, exposed);
    await expect(open(remote).load()).rejects.toMatchObject({ name: 'PageLoadError' });
  });

  test('includes an entry that stalls for a minute, without a retry, a report, or another release', async () => {
    jest.useFakeTimers();
    register({ ...remote, previous });
    serve(older, olderPage);
    network.hang(remote);
    const document = open(remote);
    const failure = document.load().catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(59_999);
    expect(network.requests).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(await failure).toMatchObject({ name: 'PageLoadError', version: remote.version });
    expect(window.document.querySelector(`script[src="${remote.entry}"]`)).toBeNull();
    expect(network.requests).toEqual([remote.entry]);
    expect(registry.requestCount()).toBe(0);
    jest.useRealTimers();
    expect(await beacons.reports()).toEqual([]);
    network.servePages(remote, async () => page);
    expect(await document.load()).toEqual({ page, version: remote.version });
  });

  test('includes a file of the page that the bundler’s runtime gave up on, in the same way', async () => {
    register({ ...remote, previous });
    const stalled = Object.assign(new Error('Loading chunk 127 failed.'), { name: 'ChunkLoadError', type: 'timeout' });
    const load = jest.fn(() => Promise.reject(stalled));
    network.servePages(remote, load);
    await expect(open(remote).load()).rejects.toMatchObject({ name: 'PageLoadError', version: remote.version });
    expect(load).toHaveBeenCalledTimes(1);
    expect(registry.requestCount()).toBe(0);
    expect(await beacons.reports()).toEqual([]);
  });
});

describe('a release that fails', () => {
  beforeEach(() => {
    register({ ...remote, previous });
  });

  test('is replaced by the previous one, and reported', async () => {
    serve(older, olderPage);
    const document = open(remote);
    expect(await document.load()).toEqual({ page: olderPage, version: older });
    expect(await beacons.reports()).toEqual([fails('load')]);
    expect(document.remote.version).toBe(older);
  });

  test('is replaced for all pages of the remote, also for one that has been shown before', async () => {
    const routes = [routeOf(`/news-${count}`), routeOf(`/gone-${count}`)];
    remote = { ...remote, routes };
    const load = jest.fn<() => Promise<PageModule>>().mockResolvedValueOnce(page);
    load.mockRejectedValue(new Error('Loading chunk 127 failed.'));
    network.servePages(remote, load);
    network.servePages({ ...inAnotherVersion(older), routes }, async () => olderPage);
    const [shown, gone] = [onlyRouteOf(remote), { remote, route: routeOf(`/gone-${count}`) }];
    const document = open(remote);
    expect(await document.load(shown)).toEqual({ page, version: remote.version });
    expect(await document.load(gone)).toEqual({ page: olderPage, version: older });
    expect(await document.load(shown)).toEqual({ page: olderPage, version: older });
  });

  test('is replaced by the active one, if that has changed', async () => {
    register({ ...inAnotherVersion(newer), previous: remote });
    serve(newer, page);
    expect(await open(remote).load()).toEqual({ page, version: newer });
    expect(network.requests.filter((address) => address === remote.entry)).toHaveLength(2);
  });

  test('is named if the previous one fails too, and both are reported', async () => {
    await expect(open(remote).load()).rejects.toMatchObject({ version: remote.version });
    expect(await beacons.reports()).toEqual([fails('load'), fails('load', older)]);
  });

  test('is not replaced if the visitor has navigated away meanwhile', async () => {
    serve(older, olderPage);
    const document = open(remote);
    await document.load(undefined, AbortSignal.abort());
    serve(remote.version, page);
    expect(await document.load()).toEqual({ page, version: remote.version });
  });

  test('is loaded again when the visitor retries, or a newer one if available', async () => {
    serve(older, olderPage);
    const document = open(remote);
    await document.load();
    register(inAnotherVersion(newer));
    serve(newer, page);
    expect(await document.load()).toEqual({ page: olderPage, version: older });
    document.remote.startAnew();
    expect(await document.load()).toEqual({ page, version: newer });
  });
});

describe('a page that throws', () => {
  const recover = (document: ReturnType<typeof open>) => document.remote.recover(`/news-${count}`);

  test('is reported, loaded from the previous release, and if that throws too, again when the visitor retries', async () => {
    register({ ...remote, previous });
    network.servePages(remote, async () => page);
    serve(older, olderPage);
    const document = open(remote);
    await document.load();
    expect(await Promise.all([recover(document), recover(document)])).toEqual([true, true]);
    expect(await document.load()).toEqual({ page: olderPage, version: older });
    expect(await beacons.reports()).toEqual([fails('render')]);
    expect(await recover(document)).toBe(false);
    expect(await beacons.reports()).toEqual([fails('render'), fails('render', older)]);
    document.remote.startAnew();
    expect(await document.load()).toEqual({ page, version: remote.version });
  });

  test('has no other release if the registry is unreachable', async () => {
    registry.isGone();
    network.servePages(remote, async () => page);
    const document = open(remote);
    await document.load();
    expect(await recover(document)).toBe(false);
  });
});

describe('the integrity of another remote', () => {
  test('is requested before anything of it is loaded', async () => {
    register(remote);
    network.servePages(remote, async () => page);
    expect(await open(unchecked(remote)).load()).toEqual({ page, version: remote.version });
    expect(registry.fetch.mock.calls).toEqual([['/registry.json', expect.objectContaining({ cache: 'no-cache' })]]);
    expect(network.integrities).toEqual([remote.integrity?.['remoteEntry.00000001.js']]);
    expect(await beacons.reports()).toEqual([]);
  });

  test.each([
    ['can’t be had', () => registry.isGone()],
    ['is not known', () => register(unchecked(remote))],
    ['is no registry', () => registry.fetch.mockImplementation(async () => Response.json({ error: 'no' }))],
  ])('%s: loads nothing, and reports nothing against the release', async (_why, mockFailure) => {
    mockFailure();
    network.servePages(remote, async () => page);
    await expect(open(unchecked(remote)).load()).rejects.toMatchObject({
      name: 'PageLoadError',
      version: remote.version,
    });
    expect(network.requests).toEqual([]);
    expect(registry.fetch).toHaveBeenCalledTimes(2);
    expect(await beacons.reports()).toEqual([]);
  });

  test('times out after a minute, without a retry', async () => {
    jest.useFakeTimers();
    registry.hangs();
    const failure = open(unchecked(remote))
      .load()
      .catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await failure).toMatchObject({ name: 'PageLoadError' });
    expect(registry.requestCount()).toBe(1);
  });
});

describe('a page that stays open', () => {
  const aMinute = 60_000;
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask'] });
    serve(remote.version, page);
    serve(newer, page);
  });

  test('polls for new releases on navigation, once a minute at most', async () => {
    register(inAnotherVersion(newer));
    const document = open(remote);
    const requests = [];
    for (const ms of [0, aMinute - 1, 1, 0, aMinute]) {
      jest.advanceTimersByTime(ms);
      // The release of a remote that it has loaded stays.
      expect(await document.load()).toEqual({ page, version: remote.version });
      requests.push(registry.requestCount());
    }
    expect(requests).toEqual([0, 0, 1, 1, 2]);
  });

  test('uses the newest release of a remote that it has not loaded yet', async () => {
    register(inAnotherVersion(newer));
    const document = open(remote);
    jest.advanceTimersByTime(aMinute);
    expect(await document.load()).toEqual({ page, version: newer });
    expect(network.requests).toEqual([inAnotherVersion(newer).entry]);
  });

  test('waits five seconds at most for the newest release if it knows one', async () => {
    registry.hangs();
    const document = open(remote);
    jest.advanceTimersByTime(aMinute);
    const loading = document.load();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await loading).toEqual({ page, version: remote.version });
  });

  test.each([
    ['the newest release no longer has', () => [remoteOf(remote.name, ['/elsewhere'], { version: newer })]],
    ['the site no longer has a remote for', () => []],
  ])('leaves a route to the server that %s', async (_why, remotes) => {
    register(...remotes());
    const document = open(remote);
    jest.advanceTimersByTime(aMinute);
    expect(await document.load()).toBeUndefined();
    expect(network.requests).toEqual([]);
  });
});
