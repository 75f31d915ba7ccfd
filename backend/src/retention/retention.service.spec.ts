import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { RetentionService, retentionInterval } from './retention.service.ts';

const nothing = { clientInfo: 0, unfinishedEntries: 0, emergencyNotices: 0, privacyRequests: 0, events: 0 };
const settings = { CLIENT_DETAILS_KEPT: 90, UNFINISHED_ENTRIES_KEPT: 12, PRIVACY_REQUESTS_KEPT: 24 };
let retention: RetentionService;
let removeDue: jest.SpiedFunction<RetentionService['removeDue']>;

beforeEach(() => {
  jest.useFakeTimers({ now: new Date('2026-11-21T00:00:00Z') });
  retention = new RetentionService({} as DataSource, settings);
  removeDue = jest.spyOn(retention, 'removeDue').mockResolvedValue(nothing);
});
afterEach(async () => {
  await retention.beforeApplicationShutdown();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('applies retention at startup and every hour, also after a run that failed', async () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  removeDue.mockRejectedValueOnce(new Error('no database'));
  retention.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(2 * retentionInterval);
  expect(removeDue.mock.calls).toEqual([[], [], []]);
  expect(logged.mock.calls).toEqual([['Retention failed for all kinds, and runs again in an hour: no database']]);
});

test('awaits the run in progress at shutdown, and starts no other', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof nothing>();
  removeDue.mockReturnValue(promise);
  retention.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(0);
  let ended = false;
  const end = retention.beforeApplicationShutdown().then(() => {
    ended = true;
  });
  await jest.advanceTimersByTimeAsync(retentionInterval);
  expect(ended).toBe(false);
  resolve(nothing);
  await end;
  expect(removeDue).toHaveBeenCalledTimes(1);
});
