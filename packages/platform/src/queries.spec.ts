import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
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

const queryWithNull = () =>
  queryClient.fetchQuery({ queryKey: ['/api/entry', { page: 2 }], queryFn: getQueryFunction('returnNull') });

describe('a query', () => {
  test('requests the first element of its key', async () => {
    network.mockResolvedValueOnce(new Response('{"id":7}'));
    await expect(queryClient.fetchQuery({ queryKey: ['/api/entry', { page: 2 }] })).resolves.toEqual({ id: 7 });
    const signal = expect.any(AbortSignal);
    expect(network.mock.calls).toEqual([['/api/entry', { method: 'GET', credentials: 'include', signal }]]);
  });

  test('fails on a 401 by default', async () => {
    network.mockResolvedValueOnce(new Response('who are you', { status: 401 }));
    await expect(queryClient.fetchQuery({ queryKey: ['/api/entry'] })).rejects.toThrow('401: who are you');
  });

  test('returns null on a 401 if configured', async () => {
    network.mockResolvedValueOnce(new Response('who are you', { status: 401 }));
    await expect(queryWithNull()).resolves.toBeNull();
  });

  test('throws on any other error status, also if a 401 returns null', async () => {
    network.mockResolvedValueOnce(new Response('no', { status: 403 }));
    await expect(queryWithNull()).rejects.toThrow('403: no');
  });

  test('that failed is not requested again on focus, on mount or when the network returns', async () => {
    network.mockResolvedValue(new Response('broken', { status: 500 }));
    const observe = () => new QueryObserver(queryClient, { queryKey: ['/api/entry'] }).subscribe(() => undefined);
    queryClient.mount();
    const ends = [observe()];
    await queryClient.fetchQuery({ queryKey: ['/api/entry'] }).catch(() => undefined);
    for (const is of [false, true]) {
      onlineManager.setOnline(is);
      focusManager.setFocused(is);
    }
    ends.push(observe());
    expect(network).toHaveBeenCalledTimes(1);
    for (const end of ends) end();
    queryClient.unmount();
  });

  test('is requested once and never becomes stale', async () => {
    network.mockImplementation(async () => new Response('{"id":7}'));
    await queryClient.fetchQuery({ queryKey: ['/api/entry'] });
    await queryClient.fetchQuery({ queryKey: ['/api/entry'] });
    expect(network).toHaveBeenCalledTimes(1);
  });
});

test('queries and mutations are not retried, polled or refetched on focus, and stay fresh', () => {
  expect(queryClient.getDefaultOptions()).toMatchObject({
    queries: {
      refetchInterval: false,
      refetchOnWindowFocus: false,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    },
    mutations: { retry: false },
  });
});
