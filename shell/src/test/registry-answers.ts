import type { Registry } from '@daybook/contract';
import { afterEach, beforeEach, jest } from '@jest/globals';

/** Answers the registry of the moment in the place of the shell server; a test says with what. */
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
    /** From now on this is the registry of the moment. */
    is: (registry: Registry) => answer.mockImplementation(async () => Response.json(registry)),
    /** From now on there is none to be had. */
    isGone: () => answer.mockRejectedValue(new TypeError('Failed to fetch')),
    /** From now on no answer comes before the request is given up. */
    hangs: () =>
      answer.mockImplementation(
        (_address, init) =>
          new Promise((_resolve, reject) => {
            init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
          }),
      ),
    /** How often it has been asked for. */
    looks: () => answer.mock.calls.length,
    asked: answer,
  };
}
