import type { Registry } from '@daybook/contract';
import { afterEach, beforeEach, jest } from '@jest/globals';

/** Mocks the shell server's current registry. */
export function answerRegistry() {
  const original = globalThis.fetch;
  const answer = jest.fn<(address: string, init?: RequestInit) => Promise<Response>>();
  beforeEach(() => {
    answer.mockReset();
    answer.mockResolvedValue(new Response('Not found', { status: 404 }));
    globalThis.fetch = answer as typeof fetch;
  });
  afterEach(() => {
    globalThis.fetch = original;
  });
  return {
    /** Responds with this registry from now on. */
    is: (registry: Registry) => answer.mockImplementation(async () => Response.json(registry)),
    /** Fails from now on. */
    isGone: () => answer.mockRejectedValue(new TypeError('Failed to fetch')),
    /** Never responds from now on; requests end with their timeout. */
    hangs: () =>
      answer.mockImplementation(
        (_address, init) =>
          new Promise((_resolve, reject) => {
            init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
          }),
      ),
    /** Returns the number of requests. */
    looks: () => answer.mock.calls.length,
    asked: answer,
  };
}
