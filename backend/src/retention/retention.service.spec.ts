import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { RetentionService } from './retention.service.ts';

const hour = 3_600_000;
const settings = { CLIENT_DETAILS_KEPT: 90, UNFINISHED_ENTRIES_KEPT: 12, PRIVACY_REQUESTS_KEPT: 24 };

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('retention runs at startup and every hour, and a shutdown waits for it', async () => {
  const retention = new RetentionService({} as DataSource, settings);
  const removeDue = jest.spyOn(retention, 'removeDue').mockResolvedValue({} as never);
  const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  removeDue.mockRejectedValueOnce(new Error('no database'));
  retention.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(hour);
  expect(removeDue).toHaveBeenCalledTimes(2);
  expect(logged.mock.calls).toEqual([['Retention failed for all kinds, and runs again in an hour: no database']]);
  const { promise, resolve } = Promise.withResolvers<never>();
  removeDue.mockReturnValue(promise);
  await jest.advanceTimersByTimeAsync(hour);
  let hasEnded = false;
  const end = retention.beforeApplicationShutdown().then(() => {
    hasEnded = true;
  });
  await jest.advanceTimersByTimeAsync(hour);
  expect(hasEnded).toBe(false);
  resolve({} as never);
  await end;
  await jest.advanceTimersByTimeAsync(hour);
  expect(removeDue).toHaveBeenCalledTimes(3);
});
