import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { RetentionSchedule, retentionInterval, retentionRetryDelay } from './retention.module.ts';
import type { RetentionResult, RetentionService } from './retention.service.ts';

const nothing: RetentionResult = {
  counts: { clientInfo: 0, unfinishedEntries: 0, emergencyNotices: 0, privacyRequests: 0, events: 0 },
  errors: {},
};
const removeDue = jest.fn<RetentionService['removeDue']>();
let schedule: RetentionSchedule;
let logged: jest.SpiedFunction<Logger['log']>;
let failed: jest.SpiedFunction<Logger['error']>;

beforeEach(() => {
  jest.useFakeTimers({ now: new Date('2026-11-21T00:00:00Z') });
  removeDue.mockReset().mockResolvedValue(nothing);
  schedule = new RetentionSchedule({ removeDue } as unknown as RetentionService);
  logged = jest.spyOn(Logger.prototype, 'log').mockReturnValue();
  failed = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
});
afterEach(async () => {
  await schedule.beforeApplicationShutdown();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('applies retention at startup and once a day', async () => {
  schedule.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(2 * retentionInterval);
  expect(removeDue.mock.calls.map(([now]) => now.toISOString())).toEqual([
    '2026-11-21T00:00:00.000Z',
    '2026-11-22T00:00:00.000Z',
    '2026-11-23T00:00:00.000Z',
  ]);
  expect(logged).not.toHaveBeenCalled();
});

test('logs only the counts of removed rows', async () => {
  removeDue.mockResolvedValue({
    counts: { ...nothing.counts, clientInfo: 3, unfinishedEntries: 2, events: 4 },
    errors: {},
  });
  schedule.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(0);
  expect(logged.mock.calls).toEqual([['Removed by retention: clientInfo 3, unfinishedEntries 2, events 4.']]);
});

test('retries a partly failed run every five minutes until it succeeds', async () => {
  const failure: RetentionResult = { ...nothing, errors: { events: new Error('no room') } };
  removeDue.mockResolvedValueOnce(failure).mockResolvedValueOnce(failure);
  schedule.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(2 * retentionRetryDelay);
  expect(removeDue).toHaveBeenCalledTimes(3);
  expect(failed.mock.calls).toEqual(Array(2).fill(['Retention failed for events (no room). Retrying in 5 minutes.']));
  await jest.advanceTimersByTimeAsync(retentionInterval - 1);
  expect(removeDue).toHaveBeenCalledTimes(3);
  await jest.advanceTimersByTimeAsync(1);
  expect(removeDue).toHaveBeenCalledTimes(4);
});

test('aborts and awaits the run in progress at shutdown, and starts no other', async () => {
  const { promise, resolve } = Promise.withResolvers<RetentionResult>();
  removeDue.mockReturnValue(promise);
  schedule.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(0);
  let ended = false;
  const end = schedule.beforeApplicationShutdown().then(() => {
    ended = true;
  });
  expect(removeDue.mock.calls[0]?.[1]?.aborted).toBe(true);
  await jest.advanceTimersByTimeAsync(retentionInterval);
  expect(ended).toBe(false);
  resolve(nothing);
  await end;
  expect(removeDue).toHaveBeenCalledTimes(1);
});
