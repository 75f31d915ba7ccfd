import { Drain } from '@daybook/server';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { Readiness } from './readiness.ts';

const query = jest.fn<() => Promise<{ name: string }[]>>();
let drain: Drain;
let readiness: Readiness;

beforeEach(() => {
  jest.useFakeTimers();
  query.mockReset().mockResolvedValue([]);
  drain = new Drain();
  readiness = new Readiness({ query } as unknown as DataSource, drain);
});
afterEach(() => {
  jest.useRealTimers();
});

test('a database that hangs keeps nobody waiting for longer than two seconds', async () => {
  query.mockReturnValue(new Promise(() => undefined));
  const problem = readiness.currentProblem();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(await problem).toBe('The database has not answered within 2 s.');
});

test('a server that is about to stop asks no database', async () => {
  drain.begin();
  expect(await readiness.currentProblem()).toBe('The server is about to stop.');
  expect(query).not.toHaveBeenCalled();
});
