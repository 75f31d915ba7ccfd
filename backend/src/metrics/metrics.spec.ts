import { expect, test } from '@jest/globals';
import { ConnectionPool } from '../database/index.ts';
import { Metrics } from './metrics.ts';

test.each([
  ['POST', '/api/waitlist', 429, 'limited'],
  ['POST', '/api/waitlist', 503, 'unavailable'],
  ['POST', '/api/waitlist', 500, 'failed'],
  ['GET', '/api/waitlist', 500, undefined],
])('%s %s with the response status %i counts as a signup that is %s', async (method, route, status, outcome) => {
  const metrics = new Metrics(new ConnectionPool(), { VERSION: '1.2.3', REVISION: '0a1b2c3' });
  metrics.countRequest(method, route, status, 0.01);
  const [, counted] = /daybook_signups_total\{outcome="(.*)"\} [1-9]$/m.exec(await metrics.register.metrics()) ?? [];
  expect(counted).toBe(outcome);
});
