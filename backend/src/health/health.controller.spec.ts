import { Drain } from '@daybook/server';
import { expect, jest, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { ConnectionPool } from '../database/index.ts';
import type { WaitlistService } from '../waitlist/index.ts';
import { HealthController } from './health.controller.ts';

test('the readiness check times out after two seconds while the database hangs', async () => {
  jest.useFakeTimers();
  const hanging = { query: () => new Promise(() => undefined) } as unknown as DataSource;
  const error = new HealthController(hanging, new ConnectionPool(), {} as WaitlistService, new Drain(), {
    VERSION: '1',
    REVISION: '1',
  }).currentError();
  await jest.advanceTimersByTimeAsync(2_000);
  jest.useRealTimers();
  expect(await error).toBe('The database did not respond within 2 s.');
});
