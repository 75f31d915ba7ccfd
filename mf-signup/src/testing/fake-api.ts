import { jest } from '@jest/globals';

export interface ReceivedCall {
  readonly call: string;
  readonly body: unknown;
}

type Responder = (init: RequestInit) => Response | Promise<Response>;

export const json = (body: unknown, status = 200): Response => Response.json(body, { status });
export const entry = (id: number, email = 'ada@example.com'): Response => json({ entry: { id, email } }, 201);

/**
 * Mocks the network. Responds by `METHOD /path`, with an entry by default.
 *
 * @returns the calls received so far, in order
 */
export function fakeApi(responders: Readonly<Record<string, Responder>> = {}): readonly ReceivedCall[] {
  const received: ReceivedCall[] = [];
  globalThis.fetch = jest.fn<typeof fetch>(async (url, init) => {
    const call = `${init?.method} ${url}`;
    received.push({ call, body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined });
    return (await responders[call]?.(init ?? {})) ?? entry(42);
  });
  return received;
}
