import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ApiError, apiRequest } from './api-request.ts';

const realFetch = globalThis.fetch;
const network = jest.fn<typeof fetch>();

beforeEach(() => {
  network.mockReset();
  globalThis.fetch = network;
});
afterEach(() => {
  globalThis.fetch = realFetch;
});

const signal = expect.any(AbortSignal);

/** Mocks the next response of the network. */
function respondWith(status: number, body: string | null, statusText = ''): void {
  network.mockResolvedValueOnce(new Response(body, { status, statusText }));
}

/** Returns the error of a failed call. */
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a call of the API', () => {
  test('without a body sends method, address and cookies, and nothing else', async () => {
    respondWith(200, '{}');
    await apiRequest('PUT', '/api/waitlist/7/complete');
    expect(network.mock.calls).toEqual([
      ['/api/waitlist/7/complete', { method: 'PUT', credentials: 'include', keepalive: true, signal }],
    ]);
  });

  test('with a body sends it as JSON with the content type', async () => {
    respondWith(201, '{}');
    await apiRequest('POST', '/api/waitlist', { email: 'reader@example.com' });
    expect(network.mock.calls).toEqual([
      [
        '/api/waitlist',
        {
          method: 'POST',
          credentials: 'include',
          keepalive: true,
          signal,
          headers: { 'Content-Type': 'application/json' },
          body: '{"email":"reader@example.com"}',
        },
      ],
    ]);
  });

  test.each([null, false, 0, ''])('sends %p as a body too', async (body) => {
    respondWith(200, '{}');
    await apiRequest('POST', '/api/waitlist', body);
    expect(network.mock.calls[0]?.[1]?.body).toBe(JSON.stringify(body));
  });

  test('returns the JSON of the response', async () => {
    respondWith(200, '{"entry":{"id":7}}');
    await expect(apiRequest('GET', '/api/waitlist/7')).resolves.toEqual({ entry: { id: 7 } });
  });

  test.each([
    [200, ''],
    [204, null],
  ])('returns undefined if a %p is empty', async (status, body) => {
    respondWith(status, body);
    await expect(apiRequest('GET', '/api/waitlist/7')).resolves.toBeUndefined();
  });

  test('throws if a success is not JSON', async () => {
    respondWith(200, '<!doctype html>');
    await expect(apiRequest('GET', '/api/waitlist/7')).rejects.toThrow(SyntaxError);
  });

  test.each(['the response', 'the body of the response'])('times out after 20 seconds without %s', async (missing) => {
    const clock = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal);
    // Like a browser's network: pending operations fail with the reason of the signal.
    network.mockImplementation(async (_url, init) => {
      const aborted = new Promise<never>((_, reject) =>
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      );
      return missing === 'the response' ? aborted : ({ ok: true, text: () => aborted } as unknown as Response);
    });
    const failed = failureOf(apiRequest('POST', '/api/waitlist', {}));
    expect(timeout).toHaveBeenLastCalledWith(20_000);
    clock.abort(new DOMException('signal timed out', 'TimeoutError'));
    expect(await failed).toMatchObject({ name: 'TimeoutError' });
    timeout.mockRestore();
  });

  test("throws the network's error without a response", async () => {
    network.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await expect(apiRequest('GET', '/api/waitlist/7')).rejects.toThrow(new TypeError('Failed to fetch'));
  });
});

describe('a call with an error response', () => {
  test.each([
    [500, 'it broke', 'Internal Server Error', '500: it broke'],
    [502, '', 'Bad Gateway', '502: Bad Gateway'],
    [400, '{"x":1}', 'Bad Request', '400: {"x":1}'],
    [404, null, 'Not Found', '404: Not Found'],
    [304, null, 'Not Modified', '304: Not Modified'],
  ])('with %p, the body %p and the status text %p reads “%4$s”', async (status, body, statusText, message) => {
    respondWith(status, body, statusText);
    const failure = await failureOf(apiRequest('GET', '/api/waitlist/7'));
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ name: 'ApiError', message, status, errorBody: undefined });
  });

  test('contains the error body of the API', async () => {
    const errorBody = { statusCode: 404, message: 'No entry has this id.', error: 'ENTRY_NOT_FOUND' };
    respondWith(404, JSON.stringify(errorBody));
    const failure = await failureOf(apiRequest('GET', '/api/waitlist/7'));
    expect(failure).toMatchObject({ status: 404, errorBody });
  });
});
