import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../test/eventually.ts';
import { changeRelease, operatorToken, readMetrics } from '../test/operator.ts';
import { versionOf } from '../test/release-folder.ts';
import { type RunningSite, startPinnedSite } from '../test/running-site.ts';
import { send } from '../test/send.ts';

const [active, canary] = [versionOf(1), versionOf(2)];

let running: RunningSite;
beforeAll(async () => {
  running = await startPinnedSite();
});
afterAll(() => running.stop());

const change = (fields: Record<string, string>) => changeRelease(running.address, { remote: 'mf-legal', ...fields });

beforeEach(async () => {
  expect((await change({ change: 'canary', version: canary, percent: '50', auto: 'on' })).status).toBe(303);
});
afterEach(async () => {
  if (await isRunning()) await change({ change: 'rollback' });
});

const isRunning = async () => (await visit('198.51.100.1', canary, '/registry.json')).text.includes(canary);

/** Waits until the canary has ended; returns the logged reason. */
async function endOfCanary(): Promise<string> {
  await eventually(async () => expect(await isRunning()).toBe(false));
  const { text } = await send(running.address, '/_releases', { headers: { Authorization: `Bearer ${operatorToken}` } });
  return /canary watch<.*?"Why">([^<]*)/s.exec(text)?.[1] ?? '';
}

interface Visit {
  readonly network: string;
  readonly version: string;
  readonly nonce: string | undefined;
  readonly text: string;
}

/** Requests the page as a browser of this network; the canary's, or the active release's. */
async function visit(network: string, version: string, path = '/terms'): Promise<Visit> {
  const { headers, text } = await send(running.address, path, {
    headers: { 'X-Forwarded-For': network, Cookie: `bucket=${version === canary ? 0 : 99}` },
  });
  const nonce = /report-nonce;desc="([^"]+)"/.exec(String(headers['server-timing']))?.[1];
  return { network, version, nonce, text };
}

/** Reports a failure of the visited release, like the visitor's browser. */
const report = ({ network, version, nonce }: Omit<Visit, 'text'>, changes: Record<string, unknown> = {}) =>
  send(running.address, '/_reports', {
    method: 'POST',
    body: JSON.stringify({ remote: 'mf-legal', version, route: '/terms', kind: 'render', nonce, ...changes }),
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': network },
  });

/** An address in its own network. */
const networks = (() => {
  let count = 0;
  return () => {
    count += 1;
    return `198.18.${count >> 8}.${count & 0xff}`;
  };
})();

describe('the automatic rollback of a canary', () => {
  test('counts no report without a nonce: forged ones of three networks do not roll it back', async () => {
    for (let view = 0; view < 20; view += 1) await visit(networks(), canary);
    for (let forger = 0; forger < 3; forger += 1)
      expect((await report({ network: networks(), version: canary, nonce: undefined })).status).toBe(403);
    for (let view = 0; view < 20; view += 1) await report(await visit(networks(), canary));
    expect(await endOfCanary()).toMatch(/^failed for \d+ of [34]\d networks/);
  });

  test('counts a bot that requests 400 pages as one network', async () => {
    const bot = networks();
    for (let view = 0; view < 400; view += 1) await visit(bot, canary);
    for (let view = 0; view < 20; view += 1) await report(await visit(networks(), canary));
    expect(await endOfCanary()).toMatch(/^failed for \d+ of (?:\d|1\d|2[01]) networks/);
  });

  test('does not roll back if the active release fails as often', async () => {
    for (let view = 0; view < 20; view += 1)
      for (const version of [active, canary]) await report(await visit(networks(), version));
    for (let view = 0; view < 60; view += 1) await report(await visit(networks(), canary));
    expect(await endOfCanary()).toContain('the active release for 20 of 20 networks (100.0 %)');
  });
});

/** Returns a release's number of failures in charts and metrics. */
async function failuresOf(version: string): Promise<number> {
  const text = await readMetrics(running.address);
  const lines = text.matchAll(new RegExp(`^daybook_remote_failures_total\\{.*version="${version}".*\\} (\\d+)`, 'gm'));
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

describe('while a canary runs, a report', () => {
  test('counts once with the nonce of the page', async () => {
    const before = await failuresOf(canary);
    const visited = await visit(networks(), canary);
    for (const kind of ['render', 'load', 'render']) expect((await report(visited, { kind })).status).toBe(204);
    expect(await failuresOf(canary)).toBe(before + 1);
  });

  test.each([
    ['of the registry', canary, '/registry.json'],
    ['of a page of another remote', canary, '/'],
    ['of the active release', active, '/terms'],
  ])('counts with the nonce %s', async (_what, version, path) => {
    const before = await failuresOf(version);
    expect((await report(await visit(networks(), version, path))).status).toBe(204);
    expect(await failuresOf(version)).toBe(before + 1);
  });

  test.each<[string, () => Promise<Parameters<typeof report>[0]>]>([
    ['without a nonce', async () => ({ ...(await visit(networks(), canary)), nonce: undefined })],
    ['with the nonce of another release', async () => ({ ...(await visit(networks(), active)), version: canary })],
    ['from another network', async () => ({ ...(await visit(networks(), canary)), network: networks() })],
    ['with a forged nonce', async () => ({ ...(await visit(networks(), canary)), nonce: 'e30.e30' })],
  ])('is rejected %s', async (_what, forged) => {
    const before = await failuresOf(canary);
    for (const kind of ['render', 'hydration']) expect((await report(await forged(), { kind })).status).toBe(403);
    expect(await failuresOf(canary)).toBe(before);
  });

  test('can use the nonce of a response without a body', async () => {
    const network = networks();
    const headers = { 'X-Forwarded-For': network, Cookie: 'bucket=0' };
    const { headers: first } = await send(running.address, '/terms', { headers });
    const again = await send(running.address, '/terms', { headers: { ...headers, 'If-None-Match': first.etag } });
    expect([again.status, again.headers['server-timing']]).toEqual([
      304,
      expect.stringContaining('report-nonce;desc='),
    ]);
    expect(again.headers['server-timing']).not.toBe(first['server-timing']);
  });

  test('of a remote without a canary needs no nonce', async () => {
    const { status } = await report(
      { network: networks(), version: active, nonce: undefined },
      { remote: 'mf-signup', route: '/' },
    );
    expect(status).toBe(204);
  });
});

test('without a canary no response carries a nonce', async () => {
  await change({ change: 'rollback' });
  for (const path of ['/terms', '/', '/nowhere', '/registry.json'])
    expect((await visit(networks(), active, path)).nonce).toBeUndefined();
});
