import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { queryClient, useMutation } from './queries.ts';

const realFetch = globalThis.fetch;
const network = jest.fn<typeof fetch>();

beforeEach(() => {
  network.mockReset();
  globalThis.fetch = network;
});
afterEach(() => {
  queryClient.clear();
  globalThis.fetch = realFetch;
  jest.useRealTimers();
});

const queryKey = ['/api/entry', { page: 2 }] as const;
const respond = (status: number) => network.mockResolvedValueOnce(new Response('no', { status }));

test('a query requests the first element of its key, once', async () => {
  network.mockImplementation(async () => new Response('{"id":7}'));
  const twice = () => Promise.all([1, 2].map(() => queryClient.fetchQuery({ queryKey })));
  for (const _ of [1, 2]) expect(await twice()).toEqual([{ id: 7 }, { id: 7 }]);
  const signal = expect.any(AbortSignal);
  expect(network.mock.calls).toEqual([['/api/entry', { method: 'GET', credentials: 'include', signal }]]);
  await queryClient.fetchQuery({ queryKey: ['/api/entry', { page: 3 }] });
  expect(network).toHaveBeenCalledTimes(2);
});

test('a query fails with any error status, except with a 401 if it is to return null', async () => {
  const queryWithNull = () => queryClient.fetchQuery({ queryKey, on401: 'returnNull' });
  respond(401);
  await expect(queryClient.fetchQuery({ queryKey })).rejects.toThrow('401: no');
  respond(403);
  await expect(queryWithNull()).rejects.toThrow('403: no');
  respond(401);
  expect(await queryWithNull()).toBeNull();
});

test('queries and mutations are not retried, polled or refetched on focus, and stay fresh', async () => {
  jest.useFakeTimers();
  network.mockImplementation(async () => new Response('{"id":7}'));
  await queryClient.fetchQuery({ queryKey });
  const mutationFn = jest.fn(() => Promise.reject(new Error('failed')));
  const { result } = renderHook(() => useMutation({ mutationFn }));
  await act(async () => result.current.mutate(undefined));
  expect(result.current).toMatchObject({ isPending: false, isError: true, error: new Error('failed') });
  for (const event of ['focus', 'visibilitychange', 'offline', 'online']) window.dispatchEvent(new Event(event));
  await act(() => jest.advanceTimersByTimeAsync(24 * 60 * 60_000));
  await queryClient.fetchQuery({ queryKey });
  expect([network, mutationFn].map((call) => call.mock.calls.length)).toEqual([1, 1]);
});

test('a mutation has the state of its latest call, and none after a reset', async () => {
  const calls: PromiseWithResolvers<string>[] = [];
  const mutationFn = () => {
    const call = Promise.withResolvers<string>();
    calls.push(call);
    return call.promise;
  };
  const { result } = renderHook(() => useMutation({ mutationFn }));
  const mutate = (variables: string) => act(async () => result.current.mutate(variables));
  const respondTo = (index: number) => act(async () => calls[index]?.resolve(`response ${index}`));
  await mutate('first');
  await mutate('second');
  await respondTo(0);
  expect(result.current).toMatchObject({ isPending: true, variables: 'second' });
  await respondTo(1);
  expect(result.current).toMatchObject({ isPending: false, isError: false, variables: 'second', data: 'response 1' });
  await mutate('third');
  expect(result.current.data).toBeUndefined();
  act(() => result.current.reset());
  await respondTo(2);
  expect(result.current).toMatchObject({ isPending: false, isError: false });
  expect(result.current.data).toBeUndefined();
});
