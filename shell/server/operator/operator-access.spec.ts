import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { eventually } from '../test/eventually.ts';
import { bearer, changeRelease, metricsToken, operatorToken, readMetrics } from '../test/operator.ts';
import { versionOf } from '../test/release-folder.ts';
import {
  legalRelease,
  prepareTwoRemotes,
  type RunningSite,
  sitesOfOneTest,
  startRunningSite,
} from '../test/running-site.ts';
import { send } from '../test/send.ts';
import { FailedAttempts, maxFailures, maxNetworks } from './operator-access.ts';

let now = 0;
let attempts: FailedAttempts;

function useTestClock(): void {
  beforeEach(() => {
    now = 1_000_000;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    attempts = new FailedAttempts();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
}

/** Sends wrong tokens; returns the number that were checked. */
const guess = (network: string, times: number) =>
  Array.from({ length: times }, () => {
    if (attempts.waitOf(network) > 0) return 0;
    attempts.count(network);
    return 1;
  }).filter(Boolean).length;

describe('a network', () => {
  useTestClock();

  test('is rate limited for the rest of the minute after ten wrong tokens', () => {
    expect(guess('192.0.2.1', 100)).toBe(maxFailures);
    now += 20_000;
    expect(attempts.waitOf('192.0.2.1')).toBe(40);
    now += 40_000;
    expect(attempts.waitOf('192.0.2.1')).toBe(0);
  });

  test('is not affected by wrong tokens of another network', () => {
    guess('192.0.2.1', maxFailures);
    expect(attempts.waitOf('192.0.2.2')).toBe(0);
  });
});

describe('while the table is full', () => {
  useTestClock();

  const fill = () => {
    for (let network = 0; network < maxNetworks; network += 1) guess(`network ${network}`, 1);
  };

  test('no network can try tokens without being counted', () => {
    fill();
    expect(guess('192.0.2.1', 100)).toBe(0);
    expect(guess('network 7', 100)).toBe(maxFailures - 1);
  });

  test('a network that sent a correct token before may sign in, and is counted', () => {
    attempts.waitOf('192.0.2.1');
    attempts.remember('192.0.2.1');
    fill();
    expect(attempts.waitOf('192.0.2.1')).toBe(0);
    expect(guess('192.0.2.1', 100)).toBe(maxFailures);
  });

  test('all other networks may sign in again in the next minute', () => {
    fill();
    expect(attempts.waitOf('192.0.2.1')).toBe(60);
    now += 60_000;
    expect(attempts.waitOf('192.0.2.1')).toBe(0);
  });
});

const [first, second] = [versionOf(1), versionOf(2)];

const variables = { OPERATOR_TOKEN: operatorToken, VERSION: '1.2.3', REVISION: '0a1b2c3' };

let running: RunningSite;
beforeAll(async () => {
  running = await startRunningSite({ prepare: prepareTwoRemotes, variables });
});
afterAll(() => running.stop());
const startAnother = sitesOfOneTest();

const metrics = async () => (await readMetrics(running.address)).split('\n');
const readOnly = { Authorization: `Bearer ${metricsToken}` };

describe('/metrics', () => {
  test('requires the metrics token, which opens nothing else; that of an operator does not open it', async () => {
    for (const Authorization of ['', 'Bearer wrong', `Basic ${metricsToken}`, `Bearer ${operatorToken}`]) {
      const { status, headers, text } = await send(running.address, '/metrics', { headers: { Authorization } });
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(text).not.toContain('daybook_');
    }
    expect((await send(running.address, '/_releases', { headers: readOnly })).status).toBe(401);
  });

  test('uses the format of Prometheus, and is not cached', async () => {
    const { status, headers } = await send(running.address, '/metrics', { headers: readOnly });
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(headers['cache-control']).toBe('no-store');
  });

  test('reports the version and commit that readiness reports', async () => {
    expect(await metrics()).toContain('daybook_build_info{service="shell",version="1.2.3",revision="0a1b2c3"} 1');
    const readiness = JSON.parse((await send(running.address, '/readyz')).text);
    expect(readiness).toMatchObject({ version: '1.2.3', revision: '0a1b2c3' });
  });

  test('reports process and releases', async () => {
    await send(running.address, '/terms');
    await send(running.address, '/nowhere');
    expect(await metrics()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^process_cpu_seconds_total \d/),
        `daybook_page_views_total{remote="mf-legal",version="${first}"} 1`,
        `daybook_release_share{remote="mf-legal",version="${first}"} 1`,
        `daybook_release_share{remote="mf-signup",version="${first}"} 1`,
        'daybook_release_revision{remote="mf-legal"} 1',
      ]),
    );
  });

  test('reports requests and latency by kind, without labels that clients control', async () => {
    const paths = ['/terms', '/made-up?email=ada@example.com', '/favicon.svg', '/assets/none.js', '/api/x', '/healthz'];
    for (const path of paths) await send(running.address, path);
    const lines = await metrics();
    for (const [kind, status] of [
      ['page', 200],
      ['page', 404],
      ['file', 200],
      ['file', 404],
      ['api', 404],
      ['other', 200],
    ]) {
      const counted = new RegExp(
        `^daybook_shell_requests_total\\{kind="${kind}",method="GET",status="${status}"\\} \\d+$`,
      );
      expect(lines).toContainEqual(expect.stringMatching(counted));
      expect(lines).toContainEqual(
        expect.stringMatching(`^daybook_shell_request_duration_seconds_count\\{kind="${kind}"\\} \\d+$`),
      );
    }
    expect(lines.join()).not.toMatch(/example|made-up/);
  });

  test('reports the shares of a canary and of the active release', async () => {
    await changeRelease(running.address, { remote: 'mf-legal', change: 'pin', version: first });
    running.site.release(legalRelease(2));
    await eventually(async () => {
      const fields = { remote: 'mf-legal', change: 'canary', version: second, percent: '25' };
      expect((await changeRelease(running.address, fields)).status).toBe(303);
    });
    expect(await metrics()).toEqual(
      expect.arrayContaining([
        `daybook_release_share{remote="mf-legal",version="${first}"} 0.75`,
        `daybook_release_share{remote="mf-legal",version="${second}"} 0.25`,
        'daybook_release_revision{remote="mf-legal"} 3',
      ]),
    );
    await changeRelease(running.address, { remote: 'mf-legal', change: 'give', version: second });
    const shares = (await metrics()).filter((line) => /^daybook_release_share.*mf-legal/.test(line));
    expect(shares).toEqual([`daybook_release_share{remote="mf-legal",version="${second}"} 1`]);
  });

  test('counts a problem of an origin once, by its reason', async () => {
    running.site.write('mf-signup/release.json', '{');
    const line = 'daybook_release_problems_total{remote="mf-signup",reason="malformed"} 1';
    await eventually(async () => expect(await metrics()).toContain(line));
  });
});

test('/metrics does not exist without a metrics token, also with one of an operator', async () => {
  const variables = { METRICS_TOKEN: '', OPERATOR_TOKEN: operatorToken };
  const { address } = await startAnother({ prepare: prepareTwoRemotes, variables });
  const { status, text } = await send(address, '/metrics', { headers: bearer });
  expect(status).toBe(404);
  expect(text).toBe((await send(address, '/nowhere')).text);
});
