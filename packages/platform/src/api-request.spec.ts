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

  test('sends a falsy body too', async () => {
    respondWith(200, '{}');
    await apiRequest('POST', '/api/waitlist', 0);
    expect(network.mock.calls[0]?.[1]?.body).toBe('0');
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

  test('names the call if a success is not JSON, without its query', async () => {
    respondWith(200, '<!doctype html>');
    await expect(apiRequest('GET', '/api/waitlist/by-email?email=reader%40example.com')).rejects.toThrow(
      new SyntaxError('The response of GET /api/waitlist/by-email is not JSON.'),
    );
  });

  /** Mocks a network that never completes a response; like a browser's, it ends with the signal of the call. */
  const neverRespond = (missing: 'the response' | 'the body of the response', isAbortable = true) =>
    network.mockImplementation(async (_url, init) => {
      const pending = new Promise<never>((_, reject) => {
        if (isAbortable) init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
      return missing === 'the response' ? pending : ({ ok: true, text: () => pending } as unknown as Response);
    });

  describe('without a complete response', () => {
    beforeEach(() => {
      jest.useFakeTimers();
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    test.each([
      ['the response', 'the response', true],
      ['the body of the response', 'the body of the response', true],
      ['the response, by a fetch that ignores the signal', 'the response', false],
    ] as const)('times out after 20 seconds without %s', async (_, missing, isAbortable) => {
      neverRespond(missing, isAbortable);
      let failure: unknown;
      void failureOf(apiRequest('POST', '/api/waitlist', {})).then((error) => {
        failure = error;
      });
      await jest.advanceTimersByTimeAsync(19_999);
      expect(failure).toBeUndefined();
      await jest.advanceTimersByTimeAsync(1);
      expect(failure).toMatchObject({ name: 'TimeoutError' });
      expect(network.mock.calls[0]?.[1]?.signal?.aborted).toBe(true);
    });

    test('times out also in a browser without AbortSignal.timeout and AbortSignal.any', async () => {
      const { timeout, any } = AbortSignal;
      Object.assign(AbortSignal, { timeout: undefined, any: undefined });
      neverRespond('the response');
      const failed = failureOf(apiRequest('POST', '/api/waitlist', {}));
      await jest.advanceTimersByTimeAsync(20_000);
      Object.assign(AbortSignal, { timeout, any });
      expect(await failed).toMatchObject({ name: 'TimeoutError' });
    });

    test.each([true, false])('ends at once when it is aborted (fetch follows the signal: %p)', async (isAbortable) => {
      neverRespond('the response', isAbortable);
      const controller = new AbortController();
      const failed = failureOf(apiRequest('POST', '/api/waitlist', {}, controller));
      controller.abort();
      expect(await failed).toMatchObject({ name: 'AbortError' });
      expect(jest.getTimerCount()).toBe(0);
    });
  });
});

describe('a call with an error response', () => {
  test.each([
    [500, 'it broke', 'Internal Server Error', '500: it broke'],
    [502, '', 'Bad Gateway', '502: Bad Gateway'],
    [400, '{"x":1}', 'Bad Request', '400: {"x":1}'],
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

describe('a call is sent once, without a key', () => {
  const formerOptions = { retry: true };

  test.each<[string, () => Promise<Response>]>([
    ...[429, 500, 502, 503, 504].map((status): [string, () => Promise<Response>] => [
      `a ${status}`,
      async () => new Response('', { status, headers: { 'Retry-After': '1' } }),
    ]),
    ['no response', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['half a response', async () => ({ ok: true, text: () => Promise.reject(new TypeError('cut off')) }) as Response],
  ])('and fails at once after %s, whatever options a remote for a former shell passes', async (_, response) => {
    jest.useFakeTimers();
    network.mockImplementation(response);
    for (const options of [{}, formerOptions]) {
      network.mockClear();
      expect(await failureOf(apiRequest('POST', '/api/waitlist', {}, options))).toBeInstanceOf(Error);
      await jest.advanceTimersByTimeAsync(60_000);
      expect(network.mock.calls.map(([, init]) => init?.headers)).toEqual([{ 'Content-Type': 'application/json' }]);
    }
    jest.useRealTimers();
  });

  test('although the browser believes to be offline', async () => {
    const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    respondWith(200, '{}');
    await expect(apiRequest('GET', '/api/waitlist/7')).resolves.toEqual({});
    onLine.mockRestore();
  });
});
