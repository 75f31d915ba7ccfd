import type { PageModule } from '@daybook/platform/define-remote';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { init } from '@module-federation/enhanced/runtime';
import { onlyRouteOf, remoteOf } from '../test/registered.ts';
import { ScriptNetwork } from '../test/script-network.ts';

// In the browser the shell's build has made the federation host before any module of the shell runs.
init({ name: 'shell', remotes: [] });
const { loadPage, PageLoadError } = await import('./load-page.ts');

const network = new ScriptNetwork();
beforeAll(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
});
beforeEach(() => {
  network.requests.length = 0;
});
afterAll(() => {
  network.stop();
  jest.restoreAllMocks();
});

const page: PageModule = { default: () => <h1>News</h1> };

/** What is kept of a remote outlives a test, so each has a remote of its own. */
let count = 0;
function freshRemote() {
  count += 1;
  return remoteOf(`mf-news-${count}`, [`/news-${count}`]);
}

describe('loading a page', () => {
  test('gives the page of the route, from the entry of its remote', async () => {
    const remote = freshRemote();
    network.servePages(remote, async () => page);
    expect(await loadPage(onlyRouteOf(remote))).toBe(page);
    expect(network.requests).toEqual([remote.entry]);
  });

  test('asks for entry and page once, however often it is called', async () => {
    const remote = freshRemote();
    const load = jest.fn(async () => page);
    network.servePages(remote, load);
    const registered = onlyRouteOf(remote);
    await Promise.all([loadPage(registered), loadPage(registered)]);
    await loadPage(registered);
    expect(network.requests).toEqual([remote.entry]);
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('asks for the entry of a remote once for all its pages', async () => {
    const remote = remoteOf('mf-two-pages', ['/first', '/second']);
    network.servePages(remote, async () => page);
    for (const route of remote.routes) await loadPage({ remote, route });
    expect(network.requests).toEqual([remote.entry]);
  });

  test('fails with the name of the remote where its entry is gone, and tries again the next time', async () => {
    const remote = freshRemote();
    const registered = onlyRouteOf(remote);
    const failure = await loadPage(registered).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PageLoadError);
    expect(failure).toMatchObject({
      name: 'PageLoadError',
      message: `${registered.route.path} of ${remote.name}@1.0.0-00000001 could not be loaded.`,
      remote,
    });
    network.servePages(remote, async () => page);
    expect(await loadPage(registered)).toBe(page);
  });

  test('fails as often as the entry is gone', async () => {
    const remote = freshRemote();
    for (let time = 0; time < 3; time += 1) {
      await expect(loadPage(onlyRouteOf(remote))).rejects.toThrow(PageLoadError);
    }
    network.servePages(remote, async () => page);
    expect(await loadPage(onlyRouteOf(remote))).toBe(page);
  });

  test('fails where the page is gone, and tries again the next time', async () => {
    const remote = freshRemote();
    const gone = new Error('Loading chunk 127 failed.');
    const load = jest.fn<() => Promise<PageModule>>().mockRejectedValueOnce(gone).mockResolvedValueOnce(page);
    network.servePages(remote, load);
    await expect(loadPage(onlyRouteOf(remote))).rejects.toMatchObject({ name: 'PageLoadError', cause: gone });
    expect(await loadPage(onlyRouteOf(remote))).toBe(page);
    expect(network.requests).toEqual([remote.entry]);
  });

  test.each([
    ['an empty module', {}],
    ['no module', undefined],
    ['something else', { default: { routes: 'none' } }],
  ])('fails where the entry exposes %s, and tries again the next time', async (_what, exposed) => {
    const remote = freshRemote();
    network.serve(remote, exposed);
    await expect(loadPage(onlyRouteOf(remote))).rejects.toThrow(PageLoadError);
    network.servePages(remote, async () => page);
    expect(await loadPage(onlyRouteOf(remote))).toBe(page);
  });

  test('fails where the remote has no page for its route', async () => {
    const remote = freshRemote();
    network.serve(remote, { default: { name: remote.name, routes: [] } });
    const failure = await loadPage(onlyRouteOf(remote)).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: 'PageLoadError',
      cause: { message: expect.stringMatching(/has no page for \/news-/) },
    });
  });
});
