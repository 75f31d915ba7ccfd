import { expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { Metrics } from './metrics.ts';

const pool = { totalCount: 0, idleCount: 0, waitingCount: 0 };

async function signupsAfter(method: string, route: string, status: number) {
  const environment = { VERSION: '1.2.3', REVISION: '0a1b2c3' };
  const metrics = new Metrics({ driver: { master: pool } } as unknown as DataSource, environment);
  metrics.countRequest(method, route, status, 0.01);
  return (await metrics.registry.metrics()).match(/daybook_signups_total\{.* [1-9]$/m)?.[0];
}

test.each([
  [400, 'refused'],
  [413, 'refused'],
  [429, 'limited'],
  [503, 'unavailable'],
  [500, 'failed'],
])('counts a signup with response status %i as %s', async (status, outcome) => {
  expect(await signupsAfter('POST', '/api/waitlist', status)).toBe(`daybook_signups_total{outcome="${outcome}"} 1`);
});

test('counters of rare results start at 0, so that the first one is an increase', async () => {
  const environment = { VERSION: '1.2.3', REVISION: '0a1b2c3' };
  const metrics = new Metrics({ driver: { master: pool } } as unknown as DataSource, environment);
  const text = await metrics.registry.metrics();
  expect(text).toContain('daybook_signups_total{outcome="failed"} 0\n');
  expect(text).not.toContain('daybook_webhook_attempts_total{');
  metrics.startCountingAttempts();
  expect(await metrics.registry.metrics()).toContain('daybook_webhook_attempts_total{outcome="dead"} 0\n');
});

test('successful signups and other calls do not count as failed signups', async () => {
  expect(await signupsAfter('POST', '/api/waitlist', 201)).toBeUndefined();
  expect(await signupsAfter('GET', '/api/waitlist', 500)).toBeUndefined();
  expect(await signupsAfter('POST', '/api/waitlist/:id/notify-complete', 500)).toBeUndefined();
});
