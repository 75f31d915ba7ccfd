import { docker } from '@daybook/testing/compose';
import { SignupLoad, type SignupResult } from '@daybook/testing/signup-load';
import { remotes } from '@daybook/testing/workspaces';
import { expect, test } from '../support/test.ts';
import * as stack from './stack.ts';

// Serial: all steps share one deployment.
test.describe.configure({ mode: 'serial', timeout: 400_000 });

const site = process.env.SITE_ADDRESS ?? '';

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

/**
 * Performs a change under load. Expects that each acknowledged signup is stored, each stored one once, with its event, and
 * that signups succeed again after the change.
 *
 * @returns the number of acknowledged signups, and of failures that visitors saw, whose browsers do not retry
 */
async function signUpsDuring(what: string, perSecond: number, change: () => Promise<unknown>) {
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
  // For whoever reads a failed run.
  const reasons = Map.groupBy(failed, ({ error }) => String(error));
  for (const [reason, { length }] of reasons) console.log(`${what}: ${length} × ${reason}`);
  const isStored = ({ email, entryId = 0 }: SignupResult) =>
    stored.get(email)?.entries.includes(entryId) && stored.get(email)?.events.includes(entryId);
  const lost = acknowledged.filter((signup) => !isStored(signup)).map(({ email }) => email);
  const twice = [...stored].filter(([, { entries, events }]) => entries.length !== 1 || events.length !== 1);
  expect({ lost, twice }, what).toEqual({ lost: [], twice: [] });
  return { acknowledged: acknowledged.length, failed: failed.length };
}

for (const service of ['backend', 'postgres'])
  test(`no signup is lost when every ${service} is killed and started again`, () =>
    signUpsDuring(`kill of ${service}`, 20, async () => {
      await stack.compose('kill', service);
      await stack.compose('start', service);
      await stack.expectHealth(service).toBe('healthy');
    }));

test('no signup fails when shell and remotes are killed and started again, and shell is replaced', async () => {
  const { failed } = await signUpsDuring('kill of shell and remotes', 20, async () => {
    await stack.compose('kill', 'shell', ...remotes);
    await stack.compose('start', 'shell', ...remotes);
    await stack.untilAllHealthy();
    await stack.compose('up', '--detach', '--no-deps', '--force-recreate', 'shell');
    await stack.expectHealth('shell').toBe('healthy');
  });
  expect(failed).toBe(0);
});

test('no signup of at least 400 fails when the backends are replaced as docs/operations.md says', async () => {
  const before = await stack.containerIds('backend');
  const { acknowledged, failed } = await signUpsDuring('restart without losing a request', 40, () =>
    stack.runDocumented('Restart without losing a request'),
  );
  expect(failed).toBe(0);
  expect(acknowledged).toBeGreaterThan(400);
  const after = await stack.containerIds('backend');
  expect(after).toHaveLength(2);
  expect(after.filter((id) => before.includes(id))).toEqual([]);
  // The next `up` finds nothing to change.
  await stack.compose('up', '--detach', '--wait');
  expect(await stack.containerIds('backend')).toEqual(after);
});

/** Returns the number of signups that each backend has stored. */
async function signupsOfEach(): Promise<readonly number[]> {
  const ids = await stack.containerIds('backend');
  const metrics = await Promise.all(ids.map((id) => stack.readMetrics(id, 3000)));
  return metrics.map((text) => Number(/outcome="stored"} (\d+)/.exec(text)?.[1] ?? 0));
}

test('each of two backends gets at least a third of the signups', async () => {
  const before = await signupsOfEach();
  expect((await signUpsDuring('two backends', 40, async () => undefined)).failed).toBe(0);
  const counts = (await signupsOfEach()).map((count, place) => count - (before[place] ?? 0));
  const total = counts.reduce((sum, count) => sum + count);
  expect(Math.min(...counts) / total, counts.join(', ')).toBeGreaterThanOrEqual(1 / 3);
});

test('only the signups that a killed backend had received fail', async () => {
  const [first = ''] = await stack.containerIds('backend');
  const { failed } = await signUpsDuring('kill of one of two backends', 20, async () => {
    await docker('kill', first);
    await docker('start', first);
    await stack.expectHealth('backend').toBe('healthy');
  });
  // A signup takes some ten milliseconds, so one is in progress at most times.
  expect(failed).toBeLessThanOrEqual(3);
});
