import { Drain } from '@daybook/server';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { HealthController } from './health.module.ts';

const query = jest.fn<() => Promise<{ name: string }[]>>();
let drain: Drain;
let health: HealthController;

beforeEach(() => {
  jest.useFakeTimers();
  query.mockReset().mockResolvedValue([]);
  drain = new Drain();
  health = new HealthController({ query } as unknown as DataSource, drain);
});
afterEach(() => {
  jest.useRealTimers();
});

test('a database that hangs keeps nobody waiting for longer than two seconds', async () => {
  query.mockReturnValue(new Promise(() => undefined));
  const problem = health.currentError();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(await problem).toBe('The database has not answered within 2 s.');
});

test('a server that is about to stop asks no database', async () => {
  drain.begin();
  expect(await health.currentError()).toBe('The server is about to stop.');
  expect(query).not.toHaveBeenCalled();
});
