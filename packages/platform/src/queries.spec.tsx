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
});

const respond = (status: number) => network.mockResolvedValueOnce(new Response('no', { status }));

test('a query requests the first element of its key, once', async () => {
  network.mockImplementation(async () => new Response('{"id":7}'));
  const twice = () => Promise.all([1, 2].map(() => query(['/api/entry', { page: 2 }])));
  for (const _ of [1, 2]) expect(await twice()).toEqual([{ id: 7 }, { id: 7 }]);
  expect(network.mock.calls).toEqual([['/api/entry', expect.objectContaining({ method: 'GET' })]]);
  await query(['/api/entry', { page: 3 }]);
  expect(network).toHaveBeenCalledTimes(2);
});

test('a query throws on 401, or returns null if it is to; its next call requests again', async () => {
  respond(401);
  await expect(query(['/api/entry'])).rejects.toThrow('401: no');
  respond(403);
  await expect(query(['/api/entry'], 'returnNull')).rejects.toThrow('403: no');
  respond(401);
  expect(await query(['/api/entry'], 'returnNull')).toBeNull();
});

test('a new call aborts the one before, whose result is ignored', async () => {
  const sent: (PromiseWithResolvers<string> & { readonly signal: AbortSignal })[] = [];
  const { result } = renderHook(() =>
    useCall((_input: string, signal) => {
      const call = { ...Promise.withResolvers<string>(), signal };
      sent.push(call);
      return call.promise;
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
  await act(async () => sent[1]?.reject(new Error('failed')));
  expect(result.current).toMatchObject({ isPending: false, input: 'second', error: new Error('failed') });
  expect(sent).toHaveLength(2);
});
