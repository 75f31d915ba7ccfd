import type { WaitlistEntryResponse } from '@daybook/contract/api';
import { eventKinds } from '@daybook/contract/events';
import { beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  anAddress,
  completionNotice,
  emergencyNotice,
  information,
  privacyRequest,
  signUp,
  spelling,
  spellings,
} from './support/factories.ts';
import { eventsWith } from './support/outbox.ts';
import type { TestResponse } from './support/test-backend.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record' });

beforeEach(async () => {
  await database.query('TRUNCATE subscriber, waitlist_entry, emergency_notice, privacy_request, outbox_event');
});

const fifty = <Result>(call: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: 50 }, (_, n) => call(n)));
const subscribers = () => database.query<{ email: string }>('SELECT email FROM subscriber ORDER BY id');
const unsubscribe = (email: string) =>
  backend.request('POST', '/api/privacy-requests', { json: privacyRequest({ email }) });
const nextDay = () => database.query('UPDATE subscriber SET last_signup_on = CURRENT_DATE - 1');
/** Signs up with the honeypot field filled in. */
const signUpSuspected = (email = anAddress()) => signUp(backend, { email, topic: 'Cheap watches' });
const complete = (id: number) => backend.request('PUT', `/api/waitlist/${id}/complete`);

/** Returns what of a response must not depend on what is stored. */
const shapeOf = ({ status, headers, body, cookie }: TestResponse) => ({
  status,
  headers: [...headers.keys()],
  body: JSON.stringify(body, (key, value) => (key === 'id' || key === 'email' ? typeof value : value)),
  cookie: cookie?.replace(/=.*/, ''),
});

describe('a signup', () => {
  test('responds with 201 and a new entry at step 1, and is stored with its event', async () => {
    const { status, body } = await signUp(backend, { email: '  Grace.Hopper@Example.COM ' });
    const email = 'Grace.Hopper@example.com';
    expect({ status, body }).toEqual({ status: 201, body: { entry: { id: expect.any(Number), email } } });
    const { id } = body.entry;
    expect(await database.query('SELECT id::float8 AS id, step FROM waitlist_entry')).toEqual([{ id, step: 1 }]);
    expect(await subscribers()).toEqual([{ email }]);
    const [event, ...others] = await eventsWith(database, {});
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'signup.created',
      data: { entryId: id, email, suspected: false, resubscribed: false },
      attempts: 0,
    });
    expect(eventKinds['signup.created'].data.parse(event?.data)).toEqual(event?.data);
    // The statement's time, and one after its wait for the row.
    expect(Date.parse(String(event?.data.signedUpAt)) - Number(event?.created_at)).toBeGreaterThanOrEqual(0);
  });

  test('sends the same response for a known and an unknown address', async () => {
    const email = anAddress();
    expect(shapeOf(await signUp(backend, { email }))).toEqual(shapeOf(await signUp(backend, { email })));
  });

  test('creates one subscriber and 50 entries for 50 concurrent signups with one address', async () => {
    const email = anAddress();
    const responses = await fifty(() => signUp(backend, { email }));
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(201));
    expect(new Set(responses.map(({ body }) => body.entry.id)).size).toBe(50);
    expect(await database.query('SELECT FROM waitlist_entry')).toHaveLength(50);
    expect(await subscribers()).toEqual([{ email }]);
  });

  test('and its event are stored together or not at all', async () => {
    for (const table of ['outbox_event', 'waitlist_entry']) {
      await database.query(`ALTER TABLE ${table} ADD CONSTRAINT rejecting CHECK (false)`);
      expect((await signUp(backend)).status).toBe(500);
      await database.query(`ALTER TABLE ${table} DROP CONSTRAINT rejecting`);
      expect([await subscribers(), await eventsWith(database, {})]).toEqual([[], []]);
    }
  });

  test('reports once in its event that the address was unsubscribed, case-insensitively', async () => {
    const email = anAddress();
    const resubscribed = async (address = email) => {
      const { id } = (await signUp(backend, { email: address })).body.entry;
      return (await eventsWith(database, { entryId: id }))[0]?.data.resubscribed;
    };
    expect(await resubscribed()).toBe(false);
    await unsubscribe(email);
    expect(await resubscribed(email.toUpperCase())).toBe(true);
    expect(await resubscribed()).toBe(false);
    await unsubscribe(email);
    expect((await fifty(() => resubscribed())).filter(Boolean)).toHaveLength(1);
  });
});

describe('all spellings of an address', () => {
  test('are one subscriber with the first spelling, whatever their order', async () => {
    const bits = fc.integer({ min: 0, max: spellings - 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(bits, { minLength: 1, maxLength: 6 }), async (chosen) => {
        await database.query('TRUNCATE subscriber, waitlist_entry');
        const [first = '', ...others] = chosen.map(spelling);
        for (const email of [first, ...others]) expect((await signUp(backend, { email })).body.entry.email).toBe(email);
        expect(await subscribers()).toEqual([{ email: first }]);
      }),
      { numRuns: 30 },
    );
  });

  // The Kelvin sign and the capital I with a dot have k and i as lower case in Unicode; the dotless ı has I as upper case.
  test.each([
    ['kim@example.com', '\u212Aim@example.com'],
    ['ivy@example.com', '\u0130vy@example.com'],
    ['IVY@example.com', '\u0131vy@example.com'],
  ])('differ in ASCII only: %s is not unsubscribed as %s', async (email, other) => {
    await signUp(backend, { email });
    expect((await unsubscribe(other)).status).toBe(201);
    expect(await database.query('SELECT unsubscribed_at FROM subscriber')).toEqual([{ unsubscribed_at: null }]);
  });

  test('are compared alike in a database with a Turkish locale', async () => {
    const lower = `SELECT lower('IVY' COLLATE "tr-x-icu") = lower('ivy' COLLATE "tr-x-icu") AS same`;
    expect(await database.query(lower)).toEqual([{ same: false }]);
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
  const typesOf = async () => (await eventsWith(database, {})).map(({ type }) => type);

  test('include `signup.created` three times a day, with the same response for each signup', async () => {
    const responses = await fifty((n) => signUp(backend, { email: spelling(n) }));
    expect(new Set(responses.map((response) => JSON.stringify(shapeOf(response)))).size).toBe(1);
    expect(await typesOf()).toEqual(Array(3).fill('signup.created'));
    await nextDay();
    await signUp(backend, { email: spelling(0) });
    expect(await typesOf()).toHaveLength(4);
    expect(await database.query('SELECT signups_that_day FROM subscriber')).toEqual([{ signups_that_day: 1 }]);
  });

  test('include a signup that ends an unsubscribe, beyond the three', async () => {
    const email = spelling(0);
    for (let count = 0; count < 5; count += 1) await signUp(backend, { email });
    await unsubscribe(email);
    for (let count = 0; count < 3; count += 1) await signUp(backend, { email });
    const events = await eventsWith(database, { email });
    const expected = [false, false, false, 'privacy_request.received', true];
    expect(events.map(({ type, data }) => data.resubscribed ?? type)).toEqual(expected);
  });

  test('include `signup.completed` three times a day, also of signups that were not sent', async () => {
    const ids = (await fifty((n) => signUp(backend, { email: spelling(n) }))).map(({ body }) => body.entry.id);
    await database.query('DELETE FROM outbox_event');
    for (const id of ids.slice(40)) await complete(id);
    expect(await typesOf()).toEqual(Array(3).fill('signup.completed'));
    await database.query("UPDATE outbox_event SET created_at = created_at - interval '1 day'");
    for (const id of ids.slice(0, 8)) await complete(id);
    expect(await typesOf()).toEqual(Array(6).fill('signup.completed'));
  });
});

describe('a completion', () => {
  const notify = (id: number, overrides = {}) =>
    backend.request('POST', `/api/waitlist/${id}/notify-complete`, { json: completionNotice(overrides) });
  const completed = async (entryId: number) =>
    (await eventsWith(database, { entryId })).filter(({ type }) => type === 'signup.completed');

  test('stores one event for any number of concurrent completion calls and notices', async () => {
    const { id } = (await signUp(backend)).body.entry;
    const responses = await fifty((n) => (n % 2 === 0 ? complete(id) : notify(id, { source: `try ${n}` })));
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(await completed(id)).toHaveLength(1);
  });

  test('has an event with address, entry and the server’s time, not the client’s', async () => {
    const { id, email } = (await signUp(backend)).body.entry;
    await notify(id, { timestamp: '1999-12-31T23:59:59.000Z' });
    await complete(id);
    const [event] = await completed(id);
    expect(event?.data).toEqual({ entryId: id, email, completedAt: expect.any(String) });
    expect(Date.parse(String(event?.data.completedAt))).toBeCloseTo(Number(event?.created_at), -1);
    expect(eventKinds['signup.completed'].data.safeParse(event?.data).success).toBe(true);
  });
});

describe('an emergency notice', () => {
  const give = (notice: object) => backend.request('POST', '/api/emergency-webhook', { json: notice });

  test('is acknowledged and stored with one event per address and day, in any spelling, also without a signup', async () => {
    const notice = emergencyNotice({ email: spelling(0) });
    const responses = await fifty((n) => give({ ...notice, email: spelling(n), source: `try ${n}` }));
    for (const { status, body } of responses) expect([status, body]).toEqual([200, { success: true }]);
    const [row, ...more] = await database.query<Record<string, unknown>>('SELECT * FROM emergency_notice');
    expect(more).toEqual([]);
    expect(row).toMatchObject({ client_timestamp: new Date(notice.timestamp), received_at: expect.any(Date) });
    const [event, ...others] = await eventsWith(database, {});
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: 'signup.emergency', data: { source: row?.source, email: row?.email } });
    expect(eventKinds['signup.emergency'].data.safeParse(event?.data).success).toBe(true);
    await database.query("UPDATE emergency_notice SET received_at = received_at - interval '1 day'");
    await give(notice);
    expect(await database.query('SELECT FROM emergency_notice')).toHaveLength(2);
  });

  test.each(['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59'])('can have the time %s', async (timestamp) => {
    expect((await give(emergencyNotice({ timestamp }))).status).toBe(200);
  });
});

describe('a signup with the honeypot field filled in', () => {
  test('is marked in its entry and its event, and stays so when it is completed', async () => {
    const { id, email } = (await signUpSuspected()).body.entry;
    await complete(id);
    expect(await database.query('SELECT suspected FROM waitlist_entry')).toEqual([{ suspected: true }]);
    const [created, completed, ...others] = await eventsWith(database, { email });
    expect(others).toEqual([]);
    expect(created).toMatchObject({ type: 'signup.created', data: { entryId: id, suspected: true } });
    expect(completed).toMatchObject({ type: 'signup.completed', data: { entryId: id } });
  });

  test('is none with an empty field', async () => {
    const { email } = (await signUp(backend, { topic: '' })).body.entry;
    expect(await eventsWith(database, { email })).toMatchObject([{ data: { suspected: false } }]);
  });

  test('gets the responses of an ordinary one, from the signup to the completion notice', async () => {
    const journeyOf = async (signup: TestResponse<WaitlistEntryResponse>) => {
      const { id, email } = signup.body.entry;
      const path = `/api/waitlist/${id}`;
      const headers = { cookie: signup.cookie ?? '' };
      return [
        signup,
        await backend.request('GET', `/api/waitlist/by-email?email=${encodeURIComponent(email)}`, { headers }),
        await backend.request('PUT', `${path}/step/2`),
        await complete(id),
        await backend.request('POST', `${path}/notify-complete`, { json: completionNotice() }),
        await backend.request('PUT', path, { json: information() }),
        await backend.request('PUT', `${path}/offers`, { json: { selectedOffers: ['vivint'] } }),
        await backend.request('PUT', `${path}/update-client-info`),
      ].map(shapeOf);
    };
    expect(await journeyOf(await signUpSuspected())).toEqual(await journeyOf(await signUp(backend)));
  });

  test('is reported once a day, reports that it ended an unsubscribe, and keeps back no signup of a person', async () => {
    const email = anAddress();
    for (let count = 0; count < 5; count += 1) await signUpSuspected(email);
    await signUp(backend, { email });
    for (let count = 0; count < 5; count += 1) await signUpSuspected(email);
    const sent = async () => (await eventsWith(database, { email })).map(({ data }) => data.suspected);
    expect(await sent()).toEqual([true, false]);
    await nextDay();
    await Promise.all(Array.from({ length: 5 }, () => signUpSuspected(email)));
    expect(await sent()).toEqual([true, false, true]);
    await unsubscribe(email);
    const { id } = (await signUpSuspected(email)).body.entry;
    expect(await eventsWith(database, { entryId: id })).toMatchObject([
      { data: { resubscribed: true, suspected: true } },
    ]);
  });
});
