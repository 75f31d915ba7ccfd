import { SignupLoad, type SignupResult } from '@daybook/testing/signup-load';
import { expect } from '@playwright/test';
import * as stack from './stack.ts';

/** Returns the entries and `signup.created` events of each email with a prefix. */
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
export async function signUpsDuring(what: string, perSecond: number, change: () => Promise<unknown>) {
  const load = new SignupLoad(process.env.SITE_URL ?? '', perSecond);
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
  const stored = await storedBy(load.emailPrefix);
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
