import { Drain } from '@daybook/server';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { HealthController } from './health.controller.ts';

const query = jest.fn<() => Promise<{ name: string }[]>>();
let drain: Drain;
let health: HealthController;

beforeEach(() => {
  jest.useFakeTimers();
  query.mockReset().mockResolvedValue([]);
  drain = new Drain();
  const environment = { VERSION: '1.2.3', REVISION: '0a1b2c3' };
  health = new HealthController({ query } as unknown as DataSource, drain, environment);
});
afterEach(() => {
  jest.useRealTimers();
});

test('the readiness check times out after two seconds while the database hangs', async () => {
  query.mockReturnValue(new Promise(() => undefined));
  const error = health.currentError();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(await error).toBe('The database did not respond within 2 s.');
});

test('the readiness check fails during shutdown, without a query to the database', async () => {
  drain.begin();
  expect(await health.currentError()).toBe('The server is about to stop.');
  expect(query).not.toHaveBeenCalled();
});
