import { Drain } from '@daybook/server';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { DataSource, type QueryRunner } from 'typeorm';
import { databaseOptions } from './database/index.ts';
import { HealthController } from './health.module.ts';

const database = new DataSource(databaseOptions({ DATABASE_URL: 'postgres://localhost/unused' }));
const query = jest.spyOn(database, 'createQueryRunner');
let drain: Drain;
let health: HealthController;

beforeEach(() => {
  jest.useFakeTimers();
  query.mockReset();
  drain = new Drain();
  health = new HealthController(database, drain);
});
afterEach(() => {
  jest.useRealTimers();
});

test('the readiness check times out after two seconds while the database hangs', async () => {
  const hanging = { hasTable: () => new Promise(() => undefined) };
  query.mockReturnValue(hanging as unknown as QueryRunner);
  const error = health.currentError();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(await error).toBe('The database did not respond within 2 s.');
});

test('the readiness check fails during shutdown, without a query to the database', async () => {
  drain.begin();
  expect(await health.currentError()).toBe('The server is about to stop.');
  expect(query).not.toHaveBeenCalled();
});
