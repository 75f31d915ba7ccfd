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
      ['/api/waitlist/7/complete', { method: 'PUT', credentials: 'include', keepalive: true, signal, headers: {} }],
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

describe('a call with retries', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const retry = { retry: true };
  const signUp = () => apiRequest('POST', '/api/waitlist', { email: 'reader@example.com' }, retry);
  const respond = (status: number, headers: Record<string, string> = {}) =>
    network.mockImplementationOnce(async () => new Response('{}', { status, headers }));
  const keys = () => network.mock.calls.map(([, init]) => new Headers(init?.headers).get('Idempotency-Key') ?? 'none');
  /** Advances the clock; returns how many requests were sent by then. */
  const sentAfter = async (time: number) => {
    await jest.advanceTimersByTimeAsync(time);
    return network.mock.calls.length;
  };

  test.each([502, 503, 504])('is sent again after a %p, with the same key and body', async (status) => {
    respond(status);
    respond(201);
    const call = signUp();
    await sentAfter(1_500);
    await expect(call).resolves.toEqual({});
    expect(network.mock.calls[1]).toEqual(network.mock.calls[0]);
    expect(keys()[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  test('is sent again without a response, also if the body is cut off', async () => {
    network.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    network.mockResolvedValueOnce({ ok: true, text: () => Promise.reject(new TypeError('cut off')) } as Response);
    respond(201);
    const call = signUp();
    await sentAfter(4_500);
    await expect(call).resolves.toEqual({});
    expect(new Set(keys()).size).toBe(1);
  });

  test('draws a new key for each call', async () => {
    respond(201);
    respond(201);
    await Promise.all([signUp(), signUp()]);
    expect(new Set(keys()).size).toBe(2);
  });

  test('has no key if it is a PUT, which is idempotent', async () => {
    respond(503);
    respond(200);
    const call = apiRequest('PUT', '/api/waitlist/7/complete', undefined, retry);
    await sentAfter(1_500);
    await expect(call).resolves.toEqual({});
    expect(keys()).toEqual(['none', 'none']);
  });

  test.each([
    ['Retry-After: 2', { 'Retry-After': '2' }, 2_000],
    ['a Retry-After of a minute, for at most 3 seconds', { 'Retry-After': '60' }, 3_000],
    ['a date', { 'Retry-After': 'Sun, 22 Nov 2026 10:00:00 GMT' }, 1_000],
    ['no Retry-After, for a second', {}, 1_000],
  ])('waits with jitter after %s', async (_, headers, wait) => {
    const random = jest.spyOn(Math, 'random').mockReturnValue(0.5);
    respond(503, headers);
    respond(201);
    const call = signUp();
    expect(await sentAfter(wait * 1.25 - 1)).toBe(1);
    expect(await sentAfter(1)).toBe(2);
    await call;
    random.mockRestore();
  });

  test('waits longer with each attempt, up to 3 seconds', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    network.mockImplementation(async () => new Response('', { status: 503, headers: { 'Retry-After': '1' } }));
    const failed = failureOf(signUp());
    const sent = [];
    for (const wait of [1_000, 2_000, 3_000, 3_000]) sent.push(await sentAfter(wait - 1), await sentAfter(1));
    expect(sent).toEqual([1, 2, 2, 3, 3, 4, 4, 5]);
    await sentAfter(20_000);
    await failed;
  });

  test('fails with the last error once a retry would begin after 20 seconds', async () => {
    network.mockImplementation(async () => new Response('down', { status: 503, headers: { 'Retry-After': '1' } }));
    const failed = failureOf(signUp());
    const sent = await sentAfter(20_000);
    expect(await failed).toMatchObject({ status: 503, message: '503: down' });
    expect(await sentAfter(60_000)).toBe(sent);
  });

  test('has one timeout for all attempts', async () => {
    const timeout = jest.spyOn(AbortSignal, 'timeout');
    respond(503);
    respond(201);
    const call = signUp();
    await sentAfter(1_500);
    await call;
    expect(timeout.mock.calls).toEqual([[20_000]]);
  });

  test.each([400, 404, 409, 422, 429, 500, 501])('is not sent again after a %p', async (status) => {
    respond(status, { 'Retry-After': '1' });
    expect(await failureOf(signUp())).toMatchObject({ status });
    expect(await sentAfter(60_000)).toBe(1);
  });

  test('is not sent again after a timeout', async () => {
    network.mockRejectedValueOnce(new DOMException('signal timed out', 'TimeoutError'));
    expect(await failureOf(signUp())).toMatchObject({ name: 'TimeoutError' });
    expect(await sentAfter(60_000)).toBe(1);
  });
});

test.each([
  ['a 503', () => Promise.resolve(new Response('', { status: 503, headers: { 'Retry-After': '1' } }))],
  ['no response', () => Promise.reject(new TypeError('Failed to fetch'))],
])('without retries, a call fails after %s and has no key', async (_, response) => {
  network.mockImplementation(response);
  await failureOf(apiRequest('POST', '/api/waitlist', {}));
  expect(network.mock.calls.map(([, init]) => init?.headers)).toEqual([{ 'Content-Type': 'application/json' }]);
});
