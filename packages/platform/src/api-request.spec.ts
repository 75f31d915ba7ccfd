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
  jest.restoreAllMocks();
});

function respondWith(status: number, body: string | null, statusText = ''): void {
  network.mockResolvedValueOnce(new Response(body, { status, statusText }));
}

const json = { 'Content-Type': 'application/json' };

describe('a call of the API', () => {
  test.each([
    ['no body', undefined, {}],
    ['a body as JSON', { email: 'a@b.co' }, { headers: json, body: '{"email":"a@b.co"}' }],
  ])('sends method, address, cookies and %s', async (_what, body, sent) => {
    respondWith(200, '{}');
    await apiRequest('PUT', '/api/waitlist/7', body);
    const signal = expect.any(AbortSignal);
    expect(network.mock.calls).toEqual([
      ['/api/waitlist/7', { method: 'PUT', credentials: 'include', keepalive: true, signal, ...sent }],
    ]);
  });

  test.each([
    [200, '{"entry":{"id":7}}', { entry: { id: 7 } }],
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
    [500, 'it broke\n', '500: it broke\n', 'it broke'],
    [502, '', '502: Bad Gateway', undefined],
    [502, '<h1>no</h1>', '502: <h1>no</h1>', undefined],
    [400, '{"x":1}', '400: {"x":1}', undefined],
    [400, '{"message":"no"}', '400: {"message":"no"}', 'no'],
  ])('with %p and the body %p fails with the message %p', async (status, body, message, serverMessage) => {
    respondWith(status, body, 'Bad Gateway');
    const failed = apiRequest('GET', '/api/waitlist/7');
    await expect(failed).rejects.toBeInstanceOf(ApiError);
    await expect(failed).rejects.toMatchObject({ name: 'ApiError', message, status, serverMessage });
  });

  test('is aborted after 20 seconds', async () => {
    jest.useFakeTimers();
    network.mockImplementation(
      (_url, init) =>
        new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
    );
    const failed = apiRequest('POST', '/api/waitlist', {});
    jest.advanceTimersByTime(20_000);
    jest.useRealTimers();
    await expect(failed).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
