import { docker } from '@daybook/testing/compose';
import { SignupLoad, type SignupResult } from '@daybook/testing/signup-load';
import { remotes } from '@daybook/testing/workspaces';
import { expect, test } from '../support/test.ts';
import * as stack from './stack.ts';

// Serial: all steps share one deployment.
test.describe.configure({ mode: 'serial', timeout: 400_000 });

const site = process.env.SITE_ADDRESS ?? '';
const results: Record<string, object> = {};

test.afterAll(() => console.table(results));

/** Returns the entries and `signup.created` events of each address with a prefix. */
async function storedBy(prefix: string): Promise<ReadonlyMap<string, { entries: number[]; events: number[] }>> {
  const rows = await stack.query(`
    SELECT json_agg(json_build_object('email', email,
      'entries', ARRAY(SELECT id FROM waitlist_entry WHERE subscriber_id = subscriber.id),
      'events', ARRAY(SELECT (data->>'entryId')::bigint FROM outbox_event
        WHERE type = 'signup.created' AND data->>'email' = email)))
    FROM subscriber WHERE email LIKE '${prefix}%'`);
  const parsed = JSON.parse(rows) as { email: string; entries: number[]; events: number[] }[];
  return new Map(parsed.map(({ email, ...stored }) => [email, stored]));
}

/** Returns the longest time in s that a visitor waited, and the longest in which no signup was acknowledged. */
function waitsOf(results: readonly SignupResult[]) {
  const longest = (times: readonly number[]) => Math.max(0, ...times) / 1000;
  const ends = results.filter(({ entryId }) => entryId !== undefined).map(({ endedAt }) => endedAt);
  const inOrder = ends.toSorted((one, other) => one - other);
  return {
    visitor: longest(results.map(({ sentAt, endedAt }) => endedAt - sentAt)),
    outage: longest(inOrder.slice(1).map((time, place) => time - (inOrder[place] ?? time))),
  };
}

/**
 * Performs a change under load. Expects that each acknowledged signup is stored, each stored one once, with its event, and
 * that signups succeed again after the change.
 *
 * @returns the number of failures that visitors saw, whose browsers do not retry
 */
async function signUpsDuring(what: string, perSecond: number, change: () => Promise<unknown>): Promise<number> {
  const load = new SignupLoad(site, perSecond);
  const signupsSince = (time: number) =>
    expect.poll(() => load.acknowledgedSince(time), { timeout: 120_000 }).toBeGreaterThan(3 * perSecond);
  let signups: readonly SignupResult[] = [];
  try {
    await signupsSince(0);
    await change();
    await signupsSince(performance.now());
  } finally {
    signups = await load.stop();
  }
  const stored = await storedBy(load.addressPrefix);
  const acknowledged = signups.filter(({ entryId }) => entryId !== undefined);
  const failed = signups.filter(({ entryId }) => entryId === undefined);
  const isStored = ({ email, entryId = 0 }: SignupResult) =>
    stored.get(email)?.entries.includes(entryId) && stored.get(email)?.events.includes(entryId);
  const lost = acknowledged.filter((signup) => !isStored(signup)).map(({ email }) => email);
  const twice = [...stored].filter(([, { entries, events }]) => entries.length !== 1 || events.length !== 1);
  const { visitor, outage } = waitsOf(signups);
  results[what] = {
    acknowledged: acknowledged.length,
    stored: stored.size,
    lost: lost.length,
    twice: twice.length,
    failed: failed.length,
    'longest wait in s': Number(visitor.toFixed(1)),
    'outage in s': Number(outage.toFixed(1)),
  };
  expect({ lost, twice }, what).toEqual({ lost: [], twice: [] });
  return failed.length;
}

for (const service of ['backend', 'shell', 'postgres'])
  test(`no signup is lost when ${service} is killed and started again`, () =>
    signUpsDuring(`kill of ${service}`, 20, async () => {
      await stack.compose('kill', service);
      await stack.compose('start', service);
      await stack.expectHealth(service).toBe('healthy');
    }));

test('no signup fails when all remotes are killed and started again', async () => {
  const failed = await signUpsDuring('kill of all remotes', 20, async () => {
    await stack.compose('kill', ...remotes);
    await stack.compose('start', ...remotes);
    await stack.untilAllHealthy();
  });
  expect(failed).toBe(0);
});

for (const service of ['backend', 'shell']) {
  test(`no signup is lost when the container of ${service} is replaced`, () =>
    signUpsDuring(`replacement of ${service}`, 20, async () => {
      await stack.compose('up', '--detach', '--no-deps', '--force-recreate', service);
      await stack.expectHealth(service).toBe('healthy');
    }));
}

/** Returns the readiness of the backends, as the shell server sees them. */
const readiness = async () => ((await (await fetch(`${site}/readyz`)).json()) as { backends: object }).backends;
const untilReady = (count: number) =>
  expect.poll(readiness, { timeout: stack.healthTimeout }).toEqual({ ready: count, of: count });
const backends = async () => (await stack.containerId('backend')).split('\n');
/** Adds or removes backends; does not replace those of an earlier version. */
const scale = (count: number) =>
  stack.compose('up', '--detach', '--no-deps', '--no-recreate', '--scale', `backend=${count}`, 'backend');

test('no signup fails when a new backend starts before the old one stops', async () => {
  const [old = ''] = await backends();
  const failed = await signUpsDuring('rolling upgrade of the backend', 20, async () => {
    await scale(2);
    await untilReady(2);
    await docker('stop', old);
    await docker('rm', old);
    await untilReady(1);
  });
  expect(failed).toBe(0);
});

test.describe('with three backends', () => {
  test.beforeAll(async () => {
    await scale(3);
    await untilReady(3);
  });
  test.afterAll(async () => {
    await scale(1);
    await stack.untilAllHealthy();
  });

  /** Returns the number of signups that each backend has stored. */
  async function signupsOfEach(): Promise<readonly number[]> {
    const token = (await stack.exec('shell', 'cat', '/run/secrets/metrics/metrics-token')).trim();
    const script = `fetch('http://127.0.0.1:3000/metrics', { headers: { authorization: 'Bearer ${token}' } })
      .then((response) => response.text()).then((text) => console.log(text.match(/outcome="stored"} (\\d+)/)?.[1] ?? 0))`;
    const counts = (await backends()).map((id) => docker('exec', id, 'node', '--eval', script));
    return (await Promise.all(counts)).map(Number);
  }

  test('each gets at least a quarter of the signups', async () => {
    const before = await signupsOfEach();
    expect(await signUpsDuring('three backends', 40, async () => undefined)).toBe(0);
    const after = await signupsOfEach();
    const counts = after.map((count, place) => count - (before[place] ?? 0));
    const total = counts.reduce((sum, count) => sum + count);
    expect(Math.min(...counts) / total, counts.join(', ')).toBeGreaterThanOrEqual(0.25);
  });

  test('at most the signups that one of them gets in four seconds fail when it is killed', async () => {
    const [first = ''] = await backends();
    const failed = await signUpsDuring('kill of one of three backends', 40, async () => {
      await docker('kill', first);
      await expect.poll(readiness, { timeout: stack.healthTimeout }).toMatchObject({ ready: 2 });
      await docker('start', first);
      await untilReady(3);
    });
    expect(failed).toBeLessThanOrEqual((4 * 40) / 3);
  });
});
