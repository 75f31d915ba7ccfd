import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { clearQueries, query } from './queries.ts';

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
