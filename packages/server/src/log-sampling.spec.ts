import { beforeEach, describe, expect, it, jest, test } from '@jest/globals';
import Fastify, { LogController } from 'fastify';
import { LogSampler, logErrorResponse, logWeightHeader } from './log-sampling.ts';
import { registerAccessLog } from './logging.ts';

// Otherwise a minute could end within a test.
beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(0));

/** A server behind a proxy, whose log's lines are collected. */
function loggingApp() {
  const lines: Record<string, unknown>[] = [];
  const app = Fastify({
    logger: { level: 'info', stream: { write: (line) => lines.push(JSON.parse(line)) } },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: true,
  });
  registerAccessLog(app);
  const weightOf = async (method: 'GET' | 'POST', url: string, client = '203.0.113.7') =>
    (await app.inject({ method, url, headers: { 'x-forwarded-for': client } })).headers[logWeightHeader];
  return { app, lines, weightOf };
}

describe('error responses to one network', () => {
  it('are logged in full up to 60 a minute, and beyond as one line for a hundred', () => {
    const sampler = new LogSampler();
    const weights = Array.from({ length: 1_060 }, () => sampler.weightOf('203.0.113.7/32', 0));
    expect(weights.slice(0, 60)).toEqual(Array(60).fill(1));
    expect(weights.slice(60).filter((weight) => weight > 0)).toEqual(Array(10).fill(100));
    expect(weights.reduce((sum, weight) => sum + weight)).toBe(1_060);
    // Neither of another network nor of the next minute.
    expect([sampler.weightOf('203.0.113.8/32', 0), sampler.weightOf('203.0.113.7/32', 60_000)]).toEqual([1, 1]);
  });

  it('are counted in bounded memory', () => {
    const sampler = new LogSampler();
    for (let index = 0; index < 20_000; index += 1) sampler.weightOf(String(index), 0);
    for (let index = 0; index < 61; index += 1) sampler.weightOf('0', 0);
    expect(sampler.weightOf('0', 0)).toBe(0);
  });
});

test('all lines about a request, and its response header for the edge, have the same weight', async () => {
  const { app, lines, weightOf } = loggingApp();
  app.post('/rejected', async (request, reply) => {
    logErrorResponse(request, 'info', { status: 403 }, `Rejected ${'x'.repeat(5_000)}`);
    return reply.code(403).send();
  });
  app.post('/accepted', async () => '');
  for (let index = 0; index < 60; index += 1) expect(await weightOf('POST', '/rejected')).toBe('1');
  for (let index = 0; index < 99; index += 1) expect(await weightOf('POST', '/rejected')).toBe('0');
  expect(lines.length).toBe(120);
  expect(await weightOf('POST', '/rejected')).toBe('100');
  expect(lines.slice(120).map(({ weight }) => weight)).toEqual([100, 100]);
  expect(Math.max(...lines.map((line) => JSON.stringify(line).length))).toBeLessThan(1_300);
  // Of others, and of requests that changed something, every line is there.
  expect([await weightOf('POST', '/rejected', '203.0.113.8'), await weightOf('POST', '/accepted')]).toEqual([
    '1',
    undefined,
  ]);
  expect(lines.length).toBe(125);
});

test('wrong requests of a network hide none of its failures', async () => {
  const { app, lines, weightOf } = loggingApp();
  const client = '198.51.100.9';
  app.post('/broken', async (request, reply) => {
    logErrorResponse(request, 'error', { status: 500 }, 'It broke');
    return reply.code(500).send();
  });
  for (let index = 0; index < 60; index += 1) await weightOf('GET', '/nothing', client);
  expect(await weightOf('GET', '/nothing', client)).toBe('0');
  for (let index = 0; index < 60; index += 1) expect(await weightOf('POST', '/broken', client)).toBe('1');
  expect(lines.filter(({ msg }) => msg === 'It broke').length).toBe(60);
  // Failures that a network can cause at will are sampled as well.
  expect(await weightOf('POST', '/broken', client)).toBe('0');
});
