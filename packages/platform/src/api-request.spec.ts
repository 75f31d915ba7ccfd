import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ApiError, apiRequest } from './api-request.ts';

const realFetch = globalThis.fetch;
const { timeout, any } = AbortSignal;
const network = jest.fn<typeof fetch>();

beforeEach(() => {
  jest.useFakeTimers();
  network.mockReset();
  globalThis.fetch = network;
});
afterEach(() => {
  jest.useRealTimers();
  globalThis.fetch = realFetch;
  Object.assign(AbortSignal, { timeout, any });
  jest.restoreAllMocks();
});

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

const json = { 'Content-Type': 'application/json' };

describe('a call of the API', () => {
  test.each([
    ['nothing else', undefined, {}],
    ['a body as JSON, with the content type', { email: 'a@b.co' }, { headers: json, body: '{"email":"a@b.co"}' }],
    ['a falsy body too', 0, { headers: json, body: '0' }],
  ])('sends method, address and cookies, and %s', async (_what, body, sent) => {
    respondWith(200, '{}');
    await apiRequest('PUT', '/api/waitlist/7', body);
    expect(network.mock.calls).toEqual([
      [
        '/api/waitlist/7',
        { method: 'PUT', credentials: 'include', keepalive: true, signal: expect.any(AbortSignal), ...sent },
      ],
    ]);
  });

  test.each([
    [200, '{"entry":{"id":7}}', { entry: { id: 7 } }],
    [200, '', undefined],
    [204, null, undefined],
  ])('returns the JSON of the response: %p with %p is %p', async (status, body, returned) => {
    respondWith(status, body);
    expect(await apiRequest('GET', '/api/waitlist/7')).toEqual(returned);
  });

  test('names the call if a success is not JSON, without its query', async () => {
    respondWith(200, '<!doctype html>');
    await expect(apiRequest('GET', '/api/waitlist/by-email?email=reader%40example.com')).rejects.toThrow(
      new SyntaxError('The response of GET /api/waitlist/by-email is not JSON.'),
    );
  });

  test.each([
    [500, 'it broke\n', 'Internal Server Error', '500: it broke\n', 'it broke'],
    [502, '', 'Bad Gateway', '502: Bad Gateway', undefined],
    [502, '<h1>no</h1>', 'Bad Gateway', '502: <h1>no</h1>', undefined],
    [400, '{"x":1}', 'Bad Request', '400: {"x":1}', undefined],
    [400, 'null', 'Bad Request', '400: null', undefined],
    [400, '{"message":"no"}', 'Bad Request', '400: {"message":"no"}', 'no'],
    [304, null, 'Not Modified', '304: Not Modified', undefined],
  ])('with %p, the body %p and the status text %p fails', async (status, body, statusText, message, serverMessage) => {
    respondWith(status, body, statusText);
    const failure = await failureOf(apiRequest('GET', '/api/waitlist/7'));
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ name: 'ApiError', message, status, serverMessage });
  });

  test.each<[string, () => Promise<Response>]>([
    ...[429, 500, 502, 503, 504].map((status): [string, () => Promise<Response>] => [
      `a ${status}`,
      async () => new Response('', { status, headers: { 'Retry-After': '1' } }),
    ]),
    ['no response', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['half a response', async () => ({ ok: true, text: () => Promise.reject(new TypeError('cut off')) }) as Response],
  ])(
    'is sent once and fails at once after %s, whatever options a remote for a former shell passes',
    async (_, response) => {
      const formerOptions: object = { retry: true };
      jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
      network.mockImplementation(response);
      expect(await failureOf(apiRequest('POST', '/api/waitlist', {}, formerOptions))).toBeInstanceOf(Error);
      await jest.advanceTimersByTimeAsync(60_000);
      expect(network.mock.calls.map(([, init]) => init?.headers)).toEqual([json]);
    },
  );
});

describe('a call without a complete response', () => {
  /** Mocks a network that never completes a response; like a browser's, it ends with the signal of the call. */
  const neverRespond = (missing = 'the response', isAbortable = true) =>
    network.mockImplementation(async (_url, init) => {
      const pending = new Promise<never>((_, reject) => {
        if (isAbortable) init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
      return missing.startsWith('the response') ? pending : ({ ok: true, text: () => pending } as unknown as Response);
    });

  test.each([
    ['the response', true],
    ['the body of the response', true],
    ['the response, by a fetch that ignores the signal', false],
  ])(
    'times out after 20 seconds without %s, also in a browser without AbortSignal.timeout and any',
    async (missing, isAbortable) => {
      Object.assign(AbortSignal, { timeout: undefined, any: undefined });
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
    },
  );

  test.each([true, false])('ends at once when it is aborted (fetch follows the signal: %p)', async (isAbortable) => {
    neverRespond('the response', isAbortable);
    const controller = new AbortController();
    const failed = failureOf(apiRequest('POST', '/api/waitlist', {}, controller));
    controller.abort();
    expect(await failed).toMatchObject({ name: 'AbortError' });
    expect(jest.getTimerCount()).toBe(0);
  });
});
