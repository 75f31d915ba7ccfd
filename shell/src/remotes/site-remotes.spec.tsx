import type { RegisteredRelease, RegisteredRemote } from '@daybook/contract/release';
import type { PageModule } from '@daybook/platform/page';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { indexWith, mockNetwork } from '../test/mock-network.ts';
import { releaseOf, remoteOf, routeOf } from '../test/registered.ts';
import { SiteRemotes } from './site-remotes.ts';

const network = mockNetwork();
const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
jest.spyOn(console, 'error').mockImplementation(() => undefined);
afterEach(() => {
  jest.useRealTimers();
});

const pageOf = (text: string): PageModule => ({ default: () => <h1>{text}</h1> });
const page = pageOf('News');
const olderPage = pageOf('Older news');
const [older, newer] = ['1.0.0-00000000', '1.0.1-00000002'];
const aMinute = 60_000;

/** Reports and executed releases outlive a test, so each has a separate remote. */
let count = 0;
let path = '';
let remote: RegisteredRemote;
let previous: RegisteredRelease;
beforeEach(() => {
  count += 1;
  path = `/news-${count}`;
  remote = remoteOf(`mf-news-${count}`, [path]);
  previous = releaseOf(remote.name, older);
});
const inAnotherVersion = (version: string) => remoteOf(remote.name, [path], { version });
const serve = (version: string, served: PageModule) => network.serve(inAnotherVersion(version), async () => served);
/** The remote index that visitors get from now on. */
const register = (...remotes: readonly RegisteredRemote[]) => network.register(() => indexWith(...remotes));
const losesIndex = () => network.register(() => Promise.reject(new TypeError('Failed to fetch')));
const indexHangs = () => network.register(() => new Promise(() => undefined));
/** A document that came with these remotes, and navigations in it. */
function open(...remotes: readonly RegisteredRemote[]) {
  const site = new SiteRemotes(indexWith(...remotes));
  const first = { remote, route: remote.routes[0] ?? routeOf('/') };
  return {
    remote: site.of(first),
    load: (registered = first, signal = new AbortController().signal) =>
      site.of(registered).load(registered.route.path, signal),
  };
}
/** A remote as contained in the page of another one. */
const unchecked = ({ integrity: _, ...others }: RegisteredRemote): RegisteredRemote => others;
const failed = (version = remote.version) => expect.objectContaining({ name: 'PageLoadError', version });
const fails = (kind: 'load' | 'render', version = remote.version) => ({
  remote: remote.name,
  version,
  route: path,
  kind,
});

test('a page comes from the verified entry of its remote, which runs once', async () => {
  const route = { ...routeOf('/first'), files: ['page.js', 'unlisted.js'] };
  const value = remote.integrity?.['remoteEntry.00000001.js'] ?? '';
  remote = { ...remote, routes: [route, routeOf('/second')], integrity: { ...remote.integrity, 'page.js': value } };
  const file = remote.entry.replace('remoteEntry.00000001', 'page');
  const load = jest.fn(async () => page);
  network.serve(remote, load);
  const document = open(remote);
  const [first, second] = remote.routes.map((route) => ({ remote, route }));
  network.respondTo({ ...remote, entry: file }, () => undefined);
  await document.remote.prefetch('/first');
  expect([network.downloads, network.requests]).toEqual([[remote.entry, file], []]);
  await Promise.all([document.load(first), document.load(first)]);
  expect(await document.load(second)).toEqual({ page, version: remote.version });
  expect([network.downloads, network.requests]).toEqual([
    [remote.entry, file],
    // Together with the page's own script, which the container finds.
    [file, remote.entry],
  ]);
  expect(network.integrities).toEqual(Array(4).fill(value));
  expect(load).toHaveBeenCalledTimes(2);
  expect(network.indexRequests()).toBe(0);
});

describe('a load that fails', () => {
  test('is retried once at once, and not reported if that succeeds', async () => {
    network.serve(remote, jest.fn(async () => page).mockRejectedValueOnce(new Error('Loading chunk 127 failed.')));
    expect(await open(remote).load()).toEqual({ page, version: remote.version });
    expect(network.requests).toEqual([remote.entry]);
    expect(await network.reports()).toEqual([]);
  });

  test('is reported once with the remote and its version after the retry', async () => {
    const document = open(remote);
    for (let time = 0; time < 2; time += 1) {
      const error = await document.load().catch((each: unknown) => each);
      expect(error).toEqual(failed());
      expect(error).toMatchObject({ message: `${path} of ${remote.name}@1.0.0-00000001 could not be loaded.` });
    }
    expect(network.downloads).toEqual(Array(4).fill(remote.entry));
    expect(network.requests).toEqual([]);
    expect(await network.reports()).toEqual([fails('load')]);
    network.serve(remote, async () => page);
    expect(await document.load()).toEqual({ page, version: remote.version });
    expect(warn).not.toHaveBeenCalled();
  });

  test('by a timeout is neither retried nor reported, and no other release is tried', async () => {
    jest.useFakeTimers();
    register({ ...remote, previous });
    serve(older, olderPage);
    network.respondTo(remote, 'never');
    const document = open(remote);
    const failure = document.load().catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(aMinute);
    expect(await failure).toEqual(failed());
    expect([network.downloads, network.requests]).toEqual([[remote.entry], []]);
    jest.useRealTimers();
    expect(network.indexRequests()).toBe(0);
    expect(await network.reports()).toEqual([]);
    network.serve(remote, async () => page);
    expect(await document.load()).toEqual({ page, version: remote.version });
  });
});

describe('a release that fails', () => {
  beforeEach(() => {
    register({ ...remote, previous });
  });

  test('is reported, and replaced by the previous one for all pages', async () => {
    const routes = [routeOf(path), routeOf(`/gone-${count}`)];
    remote = { ...remote, routes };
    const load = jest.fn<() => Promise<PageModule>>().mockResolvedValueOnce(page);
    load.mockRejectedValue(new Error('Loading chunk 127 failed.'));
    network.serve(remote, load);
    network.serve(inAnotherVersion(older), async () => olderPage);
    const [shown, gone] = routes.map((route) => ({ remote, route }));
    const document = open(remote);
    expect(await document.load(shown)).toEqual({ page, version: remote.version });
    for (const each of [gone, shown]) expect(await document.load(each)).toEqual({ page: olderPage, version: older });
    expect(document.remote.version).toBe(older);
    expect(await network.reports()).toEqual([{ ...fails('load'), route: `/gone-${count}` }]);
  });

  test('is reported with the previous one if both fail, until another is active', async () => {
    const document = open(remote);
    await expect(document.load()).rejects.toEqual(failed());
    expect(await network.reports()).toEqual([fails('load'), fails('load', older)]);
    register({ ...inAnotherVersion(newer), previous: remote });
    serve(newer, page);
    expect(await document.load()).toEqual({ page, version: newer });
    expect(network.downloads.filter((address) => address === remote.entry)).toHaveLength(4);
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

test('a page that throws is reported, and loaded from the previous release', async () => {
  serve(remote.version, page);
  const document = open(remote);
  const recover = () => document.remote.recover(path, new AbortController().signal);
  await document.load();
  losesIndex();
  expect(await recover()).toBe(false);
  document.remote.startAnew();
  register({ ...remote, previous });
  serve(older, olderPage);
  await document.load();
  expect(await recover()).toBe(true);
  expect(await document.load()).toEqual({ page: olderPage, version: older });
  expect(await network.reports()).toEqual([fails('render')]);
  expect(await recover()).toBe(false);
  expect(await network.reports()).toEqual([fails('render'), fails('render', older)]);
  document.remote.startAnew();
  expect(await document.load()).toEqual({ page, version: remote.version });
  expect(await recover()).toBe(true);
});

test('nothing runs for a visitor who leaves while a page or another release is loaded', async () => {
  register({ ...remote, previous });
  for (const version of [remote.version, older]) serve(version, page);
  const document = open(remote);
  const leftDuring = async (begin: (signal: AbortSignal) => Promise<unknown>, hasBegun: () => boolean) => {
    const left = new AbortController();
    const loading = begin(left.signal);
    while (!hasBegun()) await Promise.resolve();
    left.abort('left');
    await expect(loading).rejects.toBe('left');
  };
  await leftDuring(
    (signal) => document.load(undefined, signal),
    () => network.downloads.length > 0,
  );
  await leftDuring(
    (signal) => document.remote.recover(path, signal),
    () => network.indexRequests() > 0,
  );
  expect(network.requests).toEqual([]);
  expect(await document.load()).toEqual({ page, version: remote.version });
});

describe('the integrity of another remote', () => {
  test.each([
    ['can’t be had', losesIndex],
    ['is no remote index', () => network.register(() => ({ error: 'no' }))],
  ])('%s: loads nothing, and reports nothing against the release', async (_why, mockFailure) => {
    mockFailure();
    serve(remote.version, page);
    const document = open(unchecked(remote));
    await expect(document.load()).rejects.toEqual(failed());
    expect(network.requests).toEqual([]);
    expect(network.indexRequests()).toBe(2);
    expect(await network.reports()).toEqual([]);
    // The next navigation requests it again.
    register(remote);
    expect(await document.load()).toEqual({ page, version: remote.version });
  });

  test('is not that of a preview: its pages are opened as new documents', async () => {
    network.register(() => ({ ...indexWith(inAnotherVersion(newer)), preview: `${remote.name}@${newer}` }));
    serve(newer, page);
    expect(await open(unchecked(remote)).load()).toBeUndefined();
    expect(network.requests).toEqual([]);
  });
});

describe('a page that stays open', () => {
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
      requests.push(network.indexRequests());
    }
    expect(requests).toEqual([0, 0, 1, 1, 2]);
  });

  test('waits five seconds at most for the newest release of another remote', async () => {
    indexHangs();
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
