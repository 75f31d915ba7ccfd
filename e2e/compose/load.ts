import { PlainLoad } from '@daybook/testing/plain-load';
import { SignupLoad, type SignupResult } from '@daybook/testing/signup-load';
import { expect } from '@playwright/test';
import * as stack from './stack.ts';

const pages = ['/', '/unsubscribe', '/terms', '/profiling-opt-out', '/thank-you'];

/** Signups per second, each as from another visitor; and three visitors load pages with their files. */
const perSecond = 3;

interface Site {
  readonly url: string;
  readonly query: (sql: string) => Promise<string>;
}

/** Returns the entries and `signup.created` events of each email with a prefix. */
async function storedBy(prefix: string, { query }: Site) {
  const rows = await query(`
    SELECT coalesce(json_agg(json_build_object('email', email,
      'entries', ARRAY(SELECT id FROM waitlist_entry WHERE subscriber_id = subscriber.id),
      'events', ARRAY(SELECT (data->>'entryId')::bigint FROM outbox_event
        WHERE type = 'signup.created' AND data->>'email' = email))), '[]')
    FROM subscriber WHERE email LIKE '${prefix}%'`);
  const parsed = JSON.parse(rows) as { email: string; entries: number[]; events: number[] }[];
  return new Map(parsed.map(({ email, ...stored }) => [email, stored]));
}

/**
 * Performs a change under load. Expects that each acknowledged signup is stored once, with its event, and that all works again
 * after the change.
 *
 * @param change gets a function that resolves after the next hundred requests for pages
 * @returns the signups and the page requests that failed
 */
export async function underLoad(
  what: string,
  change: (loaded: () => Promise<void>) => Promise<unknown>,
  site: Site = { url: process.env.SITE_URL ?? '', query: stack.query },
) {
  const [load, visitors] = [new SignupLoad(site.url, perSecond), new PlainLoad(site.url, pages, { pause: 100 })];
  const timeout = stack.healthTimeout;
  const loaded = async () => {
    const [begun, before] = [performance.now(), visitors.requests];
    await expect.poll(() => visitors.requests, { timeout }).toBeGreaterThan(before + 100);
    return begun;
  };
  const works = async () => {
    const begun = await loaded();
    await expect.poll(() => load.acknowledgedSince(begun), { timeout }).toBeGreaterThan(2 * perSecond);
  };
  let signups: readonly SignupResult[] = [];
  try {
    await works();
    await change(async () => void (await loaded()));
    await works();
  } finally {
    [signups] = await Promise.all([load.stop(), visitors.stop()]);
  }
  const stored = await storedBy(load.emailPrefix, site);
  const acknowledged = signups.filter(({ entryId }) => entryId !== undefined);
  const failed = signups.filter(({ entryId }) => entryId === undefined).map(({ error }) => String(error));
  console.log(
    `${what}: ${failed.length} of ${signups.length} signups failed, ${visitors.failures.length} of ${visitors.requests} page requests`,
  );
  const isStored = ({ email, entryId = 0 }: SignupResult) =>
    stored.get(email)?.entries.includes(entryId) && stored.get(email)?.events.includes(entryId);
  const lost = acknowledged.filter((signup) => !isStored(signup)).map(({ email }) => email);
  const twice = [...stored].filter(([, { entries, events }]) => entries.length !== 1 || events.length !== 1);
  expect({ lost, twice }, what).toEqual({ lost: [], twice: [] });
  return { failed, failedPages: visitors.failures };
}
