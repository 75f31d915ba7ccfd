import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, jest, test } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { MemorySiteRegistry } from '../test/memory-site-registry.ts';
import { abortedBy } from './read-upload.ts';
import { exceededLimit, Uploads } from './uploads.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Uploads of this size, the oldest first. */
const uploads = (count: number, bytes: number, ageOf: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => ({ bytes, age: ageOf(index) }));

test.each<[string, { bytes: number; age: number }[], number, ReturnType<typeof exceededLimit>]>([
  ['the first one', [], 60_000_000, undefined],
  ['the 60th of an hour', uploads(59, 1, () => minute), 1, undefined],
  [
    'the 61st',
    uploads(60, 1, (index) => (50 - index / 2) * minute),
    1,
    { limit: '60 releases an hour', wait: 10 * minute },
  ],
  ['one after an hour', uploads(60, 1, (index) => hour - index), 1, undefined],
  [
    'one beyond the bytes, once enough of them count no more',
    [
      { bytes: 1, age: 59 * minute },
      { bytes: 200_000_000, age: 40 * minute },
      { bytes: 99_000_000, age: minute },
    ],
    60_000_000,
    { limit: '300 MB an hour', wait: 20 * minute },
  ],
  [
    'the 501st of a day',
    uploads(500, 1, (index) => (23 - index / 100) * hour),
    1,
    { limit: '500 releases a day', wait: hour },
  ],
  [
    'one beyond the bytes of a day',
    uploads(25, 60_000_000, (index) => (23 - index / 2) * hour),
    1,
    { limit: '1500 MB a day', wait: hour },
  ],
])(
  'of the uploads of a remote, %s is accepted, or the limit is named and when it fits',
  (_which, recent, bytes, exceeded) => {
    expect(exceededLimit(recent, bytes)).toEqual(exceeded);
  },
);

test('two uploads of a remote are received at once, and those of others beside them', async () => {
  const admission = new Uploads(new MemorySiteRegistry());
  const ended = Promise.withResolvers<void>();
  const slow = () => ended.promise;
  const received = ['mf-legal', 'mf-legal', 'mf-offers'].map((remote) => admission.admit(remote, true, 1, slow));
  const third = () => admission.admit('mf-legal', true, 1, async () => 'received');
  await expect(third()).rejects.toMatchObject({ name: 'UploadError', statusCode: 429, retryAfter: 5 });
  expect(await admission.admit('mf-legal', false, 1, async () => 'received')).toBe('received');
  ended.resolve();
  await Promise.all(received);
  await expect(admission.admit('mf-legal', true, 1, () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  );
  expect(await third()).toBe('received');
});

test('a team that has reached its limit keeps operators from nothing', async () => {
  const admission = new Uploads(new MemorySiteRegistry());
  const send = (isTeam: boolean) => admission.admit('mf-legal', isTeam, 150_000_000, async () => 'received');
  for (let upload = 0; upload < 2; upload += 1) await send(true);
  await expect(send(true)).rejects.toMatchObject({
    statusCode: 429,
    message: expect.stringContaining('300 MB an hour'),
  });
  for (let upload = 0; upload < 3; upload += 1) expect(await send(false)).toBe('received');
});

test('a client that is gone before its body is read leaves no timer', () => {
  const raw = new IncomingMessage(new Socket()).destroy();
  jest.useFakeTimers();
  const signal = abortedBy({ raw } as FastifyRequest, 1_000);
  const timers = jest.getTimerCount();
  jest.useRealTimers();
  expect([signal.aborted, timers]).toEqual([true, 0]);
});
