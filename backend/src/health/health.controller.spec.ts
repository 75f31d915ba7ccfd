import { Drain } from '@daybook/server';
import { expect, jest, test } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import type { DataSource } from 'typeorm';
import { ConnectionPool } from '../database/index.ts';
import { HealthController } from './health.controller.ts';

test('the readiness check times out after two seconds while the database hangs', async () => {
  jest.useFakeTimers();
  const hanging = { query: () => new Promise(() => undefined) } as unknown as DataSource;
  const reply = { code: jest.fn() } as unknown as FastifyReply;
  const controller = new HealthController(hanging, new ConnectionPool(), new Drain(), { VERSION: '1', REVISION: '1' });
  const response = controller.readyz(reply);
  await jest.advanceTimersByTimeAsync(2_000);
  jest.useRealTimers();
  expect(await response).toMatchObject({ reason: 'The database did not respond within 2 s.' });
  expect(reply.code).toHaveBeenCalledWith(503);
});
