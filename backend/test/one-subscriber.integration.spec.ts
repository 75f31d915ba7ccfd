import { beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { emergencyNotice, privacyRequest, signUp, spelling, spellings } from './support/factories.ts';
import { runOperator } from './support/operator.ts';
import { eventsWith } from './support/outbox.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record' });

beforeEach(async () => {
  await database.query(
    'TRUNCATE subscriber, waitlist_entry, emergency_notice, privacy_request, outbox_event, forgotten_count',
  );
});

const subscribers = () =>
  database.query<{ email: string; unsubscribed: boolean }>(
    'SELECT email, unsubscribed_at IS NOT NULL AS unsubscribed FROM subscriber',
  );
const unsubscribe = (email: string) =>
  backend.request('POST', '/api/privacy-requests', { json: privacyRequest({ email }) });
const operator = async (...parameters: string[]) => {
  const { exitCode, output, errors } = await runOperator(database, ['subscribers', ...parameters]);
  expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
  return JSON.parse(output);
};

describe('all spellings of an address', () => {
  test('are one subscriber with the first spelling, whatever their order', async () => {
    const bits = fc.integer({ min: 0, max: spellings - 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(bits, { minLength: 1, maxLength: 6 }), async (spellings) => {
        await database.query('TRUNCATE subscriber, waitlist_entry');
        const [first = '', ...others] = spellings.map(spelling);
        for (const email of [first, ...others]) expect((await signUp(backend, { email })).body.entry.email).toBe(email);
        expect(await subscribers()).toEqual([{ email: first, unsubscribed: false }]);
      }),
      { numRuns: 30 },
    );
  });

  test('share one emergency notice a day', async () => {
    for (const bits of [1, 2, 3])
      await backend.request('POST', '/api/emergency-webhook', { json: emergencyNotice({ email: spelling(bits) }) });
    expect(await database.query('SELECT email FROM emergency_notice')).toEqual([{ email: spelling(1) }]);
    expect(await eventsWith(database, { source: 'thank-you' })).toHaveLength(1);
  });

  test('are one row of an export, and one record', async () => {
    for (const bits of [7, 8, 9]) await signUp(backend, { email: spelling(bits) });
    await backend.request('POST', '/api/emergency-webhook', { json: emergencyNotice({ email: spelling(1) }) });
    await unsubscribe(spelling(2));
    expect(await operator('export', '--format', 'json')).toMatchObject([{ email: spelling(7), signups: 3 }]);
    const record = await operator('show', spelling(3), '--json');
    expect(record).toMatchObject({ email: spelling(7), subscriber: { email: spelling(7) } });
    const { entries, history, emergencyNotices, privacyRequests, events } = record;
    expect([entries, history, emergencyNotices, privacyRequests, events].map(({ length }) => length)).toEqual([
      3, 4, 1, 1, 5,
    ]);
    expect(await operator('forget', spelling(4), '--yes', '--json')).toMatchObject({
      entries: 3,
      emergencyNotices: 1,
      events: 5,
      privacyRequests: 1,
    });
  });
});

describe('addresses that a case mapping beyond ASCII would confuse', () => {
  // The Kelvin sign and the capital I with a dot have k and i as lower case in Unicode; the dotless ı has I as upper case.
  test.each([
    ['kim@example.com', '\u212Aim@example.com'],
    ['ivy@example.com', '\u0130vy@example.com'],
    ['IVY@example.com', '\u0131vy@example.com'],
  ])('%s is not unsubscribed as %s', async (email, other) => {
    await signUp(backend, { email });
    expect((await unsubscribe(other)).status).toBe(201);
    expect(await subscribers()).toEqual([{ email, unsubscribed: false }]);
    expect((await operator('show', email, '--json')).privacyRequests).toEqual([]);
  });

  test('are compared alike in a database with a Turkish locale', async () => {
    const [{ same } = {}] = await database.query<{ same: boolean }>(
      `SELECT lower('IVY' COLLATE "tr-x-icu") = lower('ivy' COLLATE "tr-x-icu") AS same`,
    );
    expect(same).toBe(false);
    await database.query('ALTER TABLE subscriber ALTER COLUMN email TYPE text COLLATE "tr-x-icu"');
    try {
      for (const email of ['IVY@example.com', 'ivy@example.com']) await signUp(backend, { email });
      expect(await subscribers()).toHaveLength(1);
    } finally {
      await database.query('ALTER TABLE subscriber ALTER COLUMN email TYPE text COLLATE "default"');
    }
  });
});

describe('the events of a subscriber', () => {
  const typesOf = async () =>
    (await database.query<{ type: string }>('SELECT type FROM outbox_event ORDER BY id')).map(({ type }) => type);

  test('include `signup.created` three times a day, with the same response to all signups', async () => {
    const email = spelling(0);
    const responses = await Promise.all(Array.from({ length: 50 }, () => signUp(backend, { email })));
    const shapeOf = ({ status, headers, body }: (typeof responses)[0]) =>
      JSON.stringify([status, [...headers.keys()], Object.keys(body.entry), body.entry.email]);
    expect(new Set(responses.map(shapeOf)).size).toBe(1);
    expect(await typesOf()).toEqual(Array(3).fill('signup.created'));
    await database.query('UPDATE subscriber SET last_signup_on = CURRENT_DATE - 1');
    await signUp(backend, { email });
    expect(await typesOf()).toHaveLength(4);
    expect(await database.query('SELECT signups_that_day FROM subscriber')).toEqual([{ signups_that_day: 1 }]);
  });

  test('include three signups a day that end an unsubscribe, however many signups and unsubscribes alternate', async () => {
    const email = spelling(0);
    for (let count = 0; count < 8; count += 1) {
      await signUp(backend, { email });
      await database.query('UPDATE subscriber SET unsubscribed_at = now()');
    }
    const sent = (await eventsWith(database, { email })).map(({ data }) => data.resubscribed);
    expect(sent).toEqual([false, true, true, true]);
    await database.query('UPDATE subscriber SET last_signup_on = CURRENT_DATE - 1');
    await signUp(backend, { email });
    expect(await eventsWith(database, { email, resubscribed: true })).toHaveLength(4);
  });

  test('include a signup that ends an unsubscribe, beyond the three', async () => {
    const email = spelling(0);
    for (let count = 0; count < 5; count += 1) await signUp(backend, { email });
    await unsubscribe(email);
    for (let count = 0; count < 3; count += 1) await signUp(backend, { email });
    const events = await eventsWith(database, { email });
    expect(events.map(({ type, data }) => data.resubscribed ?? type)).toEqual([
      false,
      false,
      false,
      'privacy_request.received',
      true,
    ]);
  });

  test('include `signup.completed` three times a day, also of signups that were not sent', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 8; count += 1)
      ids.push((await signUp(backend, { email: spelling(count) })).body.entry.id);
    await database.query('DELETE FROM outbox_event');
    for (const id of ids.slice(3)) await backend.request('PUT', `/api/waitlist/${id}/complete`);
    expect(await typesOf()).toEqual(Array(3).fill('signup.completed'));
    await database.query("UPDATE outbox_event SET created_at = created_at - interval '1 day'");
    for (const id of ids) await backend.request('PUT', `/api/waitlist/${id}/complete`);
    expect(await typesOf()).toEqual(Array(6).fill('signup.completed'));
  });
});
