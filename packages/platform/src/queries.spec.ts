import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { focusManager, onlineManager, QueryObserver } from '@tanstack/react-query';
import { getQueryFunction, queryClient } from './queries.ts';

const realFetch = globalThis.fetch;
const network = jest.fn<typeof fetch>();

beforeEach(() => {
  network.mockReset();
  globalThis.fetch = network;
});
afterEach(() => {
  queryClient.clear();
  globalThis.fetch = realFetch;
});

const queryKey = ['/api/entry', { page: 2 }];

test('a query requests the first element of its key, once', async () => {
  network.mockImplementation(async () => new Response('{"id":7}'));
  for (const _ of [1, 2]) expect(await queryClient.fetchQuery({ queryKey })).toEqual({ id: 7 });
  const signal = expect.any(AbortSignal);
  expect(network.mock.calls).toEqual([['/api/entry', { method: 'GET', credentials: 'include', signal }]]);
});

test('a query fails with any error status, except with a 401 if it is to return null', async () => {
  const respond = (status: number) => network.mockResolvedValueOnce(new Response('no', { status }));
  const queryWithNull = () => queryClient.fetchQuery({ queryKey, queryFn: getQueryFunction('returnNull') });
  respond(401);
  await expect(queryClient.fetchQuery({ queryKey })).rejects.toThrow('401: no');
  respond(403);
  await expect(queryWithNull()).rejects.toThrow('403: no');
  respond(401);
  expect(await queryWithNull()).toBeNull();
});

test('a failed query is not requested again on focus, on mount or when the network returns', async () => {
  network.mockResolvedValue(new Response('broken', { status: 500 }));
  const observe = () => new QueryObserver(queryClient, { queryKey }).subscribe(() => undefined);
  queryClient.mount();
  const ends = [observe()];
  await queryClient.fetchQuery({ queryKey }).catch(() => undefined);
  for (const is of [false, true]) {
    onlineManager.setOnline(is);
    focusManager.setFocused(is);
  }
  ends.push(observe());
  expect(network).toHaveBeenCalledTimes(1);
  for (const end of ends) end();
  queryClient.unmount();
});

test('queries and mutations are not retried, polled or refetched on focus, and stay fresh', () => {
  expect(queryClient.getDefaultOptions()).toMatchObject({
    queries: { refetchInterval: false, refetchOnWindowFocus: false, staleTime: Number.POSITIVE_INFINITY, retry: false },
    mutations: { retry: false },
  });
});
