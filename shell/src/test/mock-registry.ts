import type { PublicRegistry } from '@daybook/contract/release';
import { afterEach, beforeEach, jest } from '@jest/globals';

/** Mocks the shell server's current registry. */
export function mockRegistry() {
  const original = globalThis.fetch;
  const fetchMock = jest.fn<(address: string, init?: RequestInit) => Promise<Response>>();
  beforeEach(() => {
    fetchMock.mockReset();
    fetchMock.mockResolvedValue(new Response('Not found', { status: 404 }));
    globalThis.fetch = fetchMock as typeof fetch;
  });
  afterEach(() => {
    globalThis.fetch = original;
  });
  return {
    /** Responds with this registry from now on. */
    is: (registry: PublicRegistry) => fetchMock.mockImplementation(async () => Response.json(registry)),
    /** Fails from now on. */
    isGone: () => fetchMock.mockRejectedValue(new TypeError('Failed to fetch')),
    /** Never responds from now on. */
    hangs: () => fetchMock.mockImplementation(() => new Promise(() => undefined)),
    /** Returns the number of requests. */
    requestCount: () => fetchMock.mock.calls.length,
    fetch: fetchMock,
  };
}
