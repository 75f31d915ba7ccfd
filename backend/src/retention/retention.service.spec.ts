import { expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { RetentionService } from './retention.service.ts';

test('retention runs at startup and every hour, also after a failure', async () => {
  jest.useFakeTimers();
  const settings = { CLIENT_DETAILS_KEPT: 90, UNFINISHED_ENTRIES_KEPT: 12, PRIVACY_REQUESTS_KEPT: 24 };
  const retention = new RetentionService({} as DataSource, settings);
  const removeDue = jest.spyOn(retention, 'removeDue').mockRejectedValue(new Error('no database'));
  const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  retention.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(3_600_000);
  expect(removeDue).toHaveBeenCalledTimes(2);
  expect(logged).toHaveBeenLastCalledWith('Retention failed for all kinds, and runs again in an hour: no database');
  await retention.beforeApplicationShutdown();
  jest.useRealTimers();
});
