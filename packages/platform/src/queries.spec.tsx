import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { clearQueries, query, useCall } from './queries.ts';

const realFetch = globalThis.fetch;
const network = jest.fn<typeof fetch>();

beforeEach(() => {
  network.mockReset();
  globalThis.fetch = network;
});
afterEach(() => {
  clearQueries();
  globalThis.fetch = realFetch;
  jest.useRealTimers();
});

const respond = (status: number) => network.mockResolvedValueOnce(new Response('no', { status }));

test('a query requests the first element of its key, once', async () => {
  network.mockImplementation(async () => new Response('{"id":7}'));
  const twice = () => Promise.all([1, 2].map(() => query(['/api/entry', { page: 2 }])));
  for (const _ of [1, 2]) expect(await twice()).toEqual([{ id: 7 }, { id: 7 }]);
  const signal = expect.any(AbortSignal);
  expect(network.mock.calls).toEqual([['/api/entry', { method: 'GET', credentials: 'include', signal }]]);
  await query(['/api/entry', { page: 3 }]);
  expect(network).toHaveBeenCalledTimes(2);
});

test('a query fails with any error status, except with a 401 if it is to return null', async () => {
  respond(401);
  await expect(query(['/api/entry'])).rejects.toThrow('401: no');
  respond(403);
  await expect(query(['/api/entry'], 'returnNull')).rejects.toThrow('403: no');
  respond(401);
  expect(await query(['/api/entry'], 'returnNull')).toBeNull();
});

test('queries and calls are not retried, polled or refetched on focus, and stay fresh', async () => {
  jest.useFakeTimers();
  network.mockImplementation(async () => new Response('{"id":7}'));
  await query(['/api/entry']);
  const send = jest.fn(() => Promise.reject(new Error('failed')));
  const { result } = renderHook(() => useCall(send));
  await act(() => result.current.start(undefined));
  expect(result.current).toMatchObject({ isPending: false, error: new Error('failed') });
  for (const event of ['focus', 'visibilitychange', 'offline', 'online']) window.dispatchEvent(new Event(event));
  await act(() => jest.advanceTimersByTimeAsync(24 * 60 * 60_000));
  await query(['/api/entry']);
  expect([network, send].map((call) => call.mock.calls.length)).toEqual([1, 1]);
});

test('a new call aborts the one before, whose result is ignored', async () => {
  const sent: (PromiseWithResolvers<string> & { readonly signal: AbortSignal })[] = [];
  const { result } = renderHook(() =>
    useCall((_input: string, signal) => {
      sent.push({ ...Promise.withResolvers<string>(), signal });
      return sent.at(-1)?.promise as Promise<string>;
    }),
  );
  let first: unknown;
  await act(async () => {
    first = result.current.start('first');
    void result.current.start('second');
  });
  expect(sent.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  await act(async () => sent[0]?.resolve('response 0'));
  expect(await first).toBeUndefined();
  expect(result.current).toMatchObject({ isPending: true, input: 'second' });
  await act(async () => sent[1]?.resolve('response 1'));
  expect(result.current).toMatchObject({ isPending: false, input: 'second', data: 'response 1' });
  act(() => result.current.reset());
  expect([result.current.isPending, result.current.data]).toEqual([false, undefined]);
});
