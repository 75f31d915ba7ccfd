import { type PageReport, pageReportUrl } from '@daybook/contract/page';
import { type RegisteredRelease, type RemoteIndex, remoteIndexUrl } from '@daybook/contract/release';
import { afterAll, beforeEach, expect, jest } from '@jest/globals';
import type { Container } from '../remotes/container.ts';

type NamedRelease = RegisteredRelease & { readonly name: string };

const textOf = (blob: Blob) =>
  new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(blob);
  });

/** Mocks the network of a file's pages: scripts, downloads, the remote index and beacons, none of which jsdom requests. */
export function mockNetwork() {
  const responses = new Map<string, (() => void) | 'never'>();
  const requests: string[] = [];
  const downloads: string[] = [];
  const integrities: string[] = [];
  const reports: { readonly url: string; readonly data: Blob }[] = [];
  async function download(url: string, integrity = ''): Promise<Response> {
    downloads.push(url);
    integrities.push(integrity);
    const response = responses.get(url);
    if (response === 'never') return new Promise(() => undefined);
    return new Response('', { status: response ? 200 : 404 });
  }
  const fetchMock = jest.fn<(url: string, init?: RequestInit) => Promise<Response>>();

  function respond(script: HTMLScriptElement): void {
    const url = new URL(script.src).pathname;
    requests.push(url);
    integrities.push(script.integrity);
    const run = responses.get(url);
    if (run === 'never') return;
    run?.();
    script.dispatchEvent(new Event(run ? 'load' : 'error'));
  }
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes) if (node instanceof HTMLScriptElement && node.src) respond(node);
  });
  observer.observe(document, { childList: true, subtree: true });
  beforeEach(() => {
    for (const list of [requests, downloads, integrities, reports]) list.length = 0;
    fetchMock.mockReset().mockImplementation(async () => new Response('Not found', { status: 404 }));
    const fetchAny = (url: string, init?: RequestInit) =>
      url.startsWith('/remotes/') ? download(url, init?.integrity) : fetchMock(url, init);
    globalThis.fetch = fetchAny as typeof fetch;
    const sendBeacon = (url: string, data: Blob) => reports.push({ url, data }) > 0;
    Object.defineProperty(navigator, 'sendBeacon', { configurable: true, value: sendBeacon });
  });
  afterAll(() => observer.disconnect());

  /** Serves a release of a remote; `get` is called for the page of a path that its container exposes. */
  function serve({ name, version, entry }: NamedRelease, get: (path: string) => unknown, init?: () => void): void {
    responses.set(entry, () => {
      let initialized = false;
      const container: Container = {
        async init() {
          if (initialized) throw new Error('Container initialization failed: already initialized.');
          initialized = true;
          init?.();
        },
        async get(exposed) {
          const page = await get(exposed.slice(1));
          return () => page;
        },
      };
      Reflect.set(globalThis, `${name}@${version}`, container);
    });
  }

  return {
    /** Scripts that were run and files that were only downloaded since the test began, in order, and their integrity values. */
    requests,
    downloads,
    integrities,
    serve,
    /** Responds to the entry of a release in this way from now on: with a script, with an error, or never. */
    respondTo({ entry }: RegisteredRelease, how: (() => void) | 'error' | 'never'): void {
      if (how === 'error') responses.delete(entry);
      else responses.set(entry, how);
    },
    /** Responds to requests of the remote index from now on with what this returns. */
    register: (index: () => unknown) => fetchMock.mockImplementation(async () => Response.json(await index())),
    /** Returns the number of requests of the remote index since the test began. */
    indexRequests(): number {
      for (const [url, init] of fetchMock.mock.calls)
        expect([url, init]).toEqual([remoteIndexUrl, expect.objectContaining({ cache: 'no-cache' })]);
      return fetchMock.mock.calls.length;
    },
    /** Returns the reports since the test began. */
    reports: () =>
      Promise.all(
        reports.map(async ({ url, data }) => {
          expect([url, data.type]).toEqual([pageReportUrl, 'application/json']);
          return JSON.parse(await textOf(data)) as PageReport;
        }),
      ),
  };
}

export const indexWith = (...remotes: RemoteIndex['remotes']): RemoteIndex => ({ remotes, missing: [] });
