import { Load } from '@daybook/testing/load';
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
  const load = new Load(site.url, pages, { pause: 100, signupsPerSecond: perSecond });
  const timeout = stack.healthTimeout;
  const loaded = async () => {
    const before = load.requests;
    await expect.poll(() => load.requests, { timeout }).toBeGreaterThan(before + 100);
  };
  const works = async () => {
    await loaded();
    const before = load.signups.length;
    const acknowledged = () => load.signups.slice(before).filter(({ entryId }) => entryId !== undefined).length;
    await expect.poll(acknowledged, { timeout }).toBeGreaterThan(2 * perSecond);
  };
  try {
    await works();
    await change(loaded);
    await works();
  } finally {
    await load.stop();
  }
  const stored = await storedBy(load.emailPrefix, site);
  const failed = load.signups.flatMap(({ error }) => (error === undefined ? [] : [error]));
  console.log(
    `${what}: ${failed.length} of ${load.signups.length} signups failed, ${load.failures.length} of ${load.requests} page requests`,
  );
  const lost = load.acknowledged.filter(({ email, entryId = 0 }) => {
    const { entries = [], events = [] } = stored.get(email) ?? {};
    return !entries.includes(entryId) || !events.includes(entryId);
  });
  const twice = [...stored].filter(([, { entries, events }]) => entries.length !== 1 || events.length !== 1);
  expect({ lost, twice }, what).toEqual({ lost: [], twice: [] });
  return { failed, failedPages: load.failures };
}
