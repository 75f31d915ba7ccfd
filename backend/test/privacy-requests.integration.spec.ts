import {
  type ErrorBody,
  type PrivacyRequestKind,
  type PrivacyRequestResponse,
  privacyRequestKinds,
  privacyRequestResponseSchema,
} from '@daybook/contract/api';
import { eventKinds } from '@daybook/contract/events';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { anAddress, privacyRequest, signUp } from './support/factories.ts';
import { eventsWith } from './support/outbox.ts';
import { startBackend } from './support/test-backend.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record', LIMIT_ADDRESS_PRIVACY_REQUESTS: 5 });

beforeAll(() => backend.app.useLogger(false));

const path = '/api/privacy-requests';
const make = (request: object, headers: Record<string, string> = {}) =>
  backend.request<PrivacyRequestResponse>('POST', path, { json: request, headers });
const unsubscribe = (email: string) => make(privacyRequest({ email }));
const stored = (email: string) =>
  database.query<{ reference: string; due_at: Date; received_at: Date }>(
    'SELECT * FROM privacy_request WHERE email = $1 ORDER BY id',
    [email],
  );
const reported = async (email: string) =>
  (await eventsWith(database, { email })).filter(({ type }) => type === 'privacy_request.received');
async function isUnsubscribed(email: string) {
  const statement = 'SELECT unsubscribed_at IS NOT NULL AS yes FROM subscriber WHERE email = $1';
  return (await database.query<{ yes: boolean }>(statement, [email]))[0]?.yes;
}

const fieldsOf = {
  unsubscribe: {},
  'ca-unsubscribe': {},
  'privacy-rights-request': { name: 'Ada Reader', requestType: 'correct', comments: 'One “letter”\nis wrong.' },
  'profiling-opt-out': {},
  'targeted-opt-out': {},
  'limit-sensitive-info': { categoriesToLimit: ['health', 'browsing'] },
} as const;
const requestOf = (kind: PrivacyRequestKind, email = anAddress(), fields: object = fieldsOf[kind]) => ({
  ...privacyRequest({ email }),
  kind,
  fields,
});
const rightsRequest = (email: string, changes: object = {}) =>
  requestOf('privacy-rights-request', email, { ...fieldsOf['privacy-rights-request'], ...changes });

/** Returns what of a response must not depend on what is stored. */
const shapeOf = ({ status, headers, body }: Awaited<ReturnType<typeof make>>) => [
  status,
  [...headers.keys()].sort(),
  headers.get('content-length'),
  Object.keys(body),
];

describe('a privacy request', () => {
  test.each(privacyRequestKinds)('of the kind %s is stored with its due date and its event', async (kind) => {
    const email = (await signUp(backend)).body.entry.email;
    const request = requestOf(kind, email);
    const { status, body } = await make(request, { 'sec-gpc': '1' });
    expect(status).toBe(201);
    expect(privacyRequestResponseSchema.parse(body)).toEqual(body);
    const [row, ...others] = await stored(email);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      reference: body.reference,
      kind,
      fields: request.fields,
      page_version: request.pageVersion,
      global_privacy_control: true,
      due_at: new Date(body.dueAt),
      done_at: null,
    });
    const [event, ...more] = await reported(email);
    expect(more).toEqual([]);
    expect(event?.data).toEqual({
      ...body,
      kind,
      email,
      fields: request.fields,
      pageVersion: request.pageVersion,
      globalPrivacyControl: true,
      receivedAt: row?.received_at.toISOString(),
    });
    expect(eventKinds['privacy_request.received'].data.parse(event?.data)).toEqual(event?.data);
    expect(await isUnsubscribed(email)).toBe(['unsubscribe', 'ca-unsubscribe'].includes(kind));
  });

  test.each<Record<string, string>>([{ 'sec-gpc': '0' }, {}])(
    'with the headers %j states no Global Privacy Control signal',
    async (headers) => {
      const request = privacyRequest();
      await make(request, headers);
      expect(await stored(request.email)).toMatchObject([{ global_privacy_control: false }]);
    },
  );

  test('is stored once, with one event, if 20 equal ones arrive at once', async () => {
    const request = privacyRequest();
    const responses = await Promise.all(Array.from({ length: 20 }, () => make(request)));
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.reference}`)).size).toBe(1);
    expect(await stored(request.email)).toHaveLength(1);
    expect(await reported(request.email)).toHaveLength(1);
  });

  test('is not stored and unsubscribes no one if its event cannot be stored', async () => {
    const { email } = (await signUp(backend)).body.entry;
    await database.query(
      `ALTER TABLE outbox_event ADD CONSTRAINT rejecting CHECK (data->>'email' <> '${email}' OR type = 'signup.created')`,
    );
    expect((await unsubscribe(email)).status).toBe(500);
    await database.query('ALTER TABLE outbox_event DROP CONSTRAINT rejecting');
    expect(await stored(email)).toEqual([]);
    expect(await isUnsubscribed(email)).toBe(false);
  });

  test('responds with 404 and stores nothing without PRIVACY_REQUESTS=record', async () => {
    const other = await startBackend({ DATABASE_URL: database.url });
    const request = privacyRequest();
    const { status, body } = await other.request<ErrorBody>('POST', path, { json: request });
    await other.stop();
    expect([status, body.error]).toEqual([404, 'NOT_FOUND']);
    expect(await stored(request.email)).toEqual([]);
  });
});

describe('an unsubscribe', () => {
  test('matches the subscriber’s address case-insensitively, and no other one', async () => {
    const email = `Ada.${anAddress()}`;
    const other = `b${email}`;
    for (const each of [email, other]) await signUp(backend, { email: each });
    await unsubscribe(` ${email.toUpperCase()} `);
    expect([await isUnsubscribed(email), await isUnsubscribed(other)]).toEqual([true, false]);
  });

  test('ends when the address signs up again; the next one has its effect and is reported, while the first is open', async () => {
    const { email } = (await signUp(backend)).body.entry;
    const { body } = await unsubscribe(email);
    await signUp(backend, { email });
    expect(await isUnsubscribed(email)).toBe(false);
    expect((await unsubscribe(email)).body.reference).toBe(body.reference);
    expect(await isUnsubscribed(email)).toBe(true);
    const [row, ...others] = await stored(email);
    expect(others).toEqual([]);
    const events = await reported(email);
    const dueAt = row?.due_at.toISOString();
    expect(events.map(({ data }) => [data.reference, data.dueAt])).toEqual(Array(2).fill([body.reference, dueAt]));
    // Receivers let the later of unsubscribe and signup win.
    expect(new Set(events.map(({ data }) => data.receivedAt)).size).toBe(2);
  });

  test('alternating with signups is reported a few times a day, and has its effect each time', async () => {
    const email = anAddress();
    const counts = async () => {
      const types = (await eventsWith(database, { email })).map(({ type }) => type);
      return ['signup.created', 'privacy_request.received'].map((of) => types.filter((type) => type === of).length);
    };
    for (let time = 0; time < 8; time += 1) {
      await signUp(backend, { email });
      expect((await unsubscribe(email)).status).toBe(201);
      expect(await isUnsubscribed(email)).toBe(true);
    }
    // The first signup, and three that end an unsubscribe.
    expect(await counts()).toEqual([4, 4]);
    // On the next day, a signup is reported, and so is the unsubscribe after it.
    await database.query('UPDATE subscriber SET last_signup_on = last_signup_on - 1 WHERE email = $1', [email]);
    await signUp(backend, { email });
    await unsubscribe(email);
    expect(await counts()).toEqual([5, 5]);
  });

  test('that waited for another request has a later time than a signup before it in the table', async () => {
    const { email } = (await signUp(backend)).body.entry;
    const holder = await database.lock(
      `SELECT pg_advisory_xact_lock(hashtext('privacy_request'), hashtext(lower($1 COLLATE "C")))`,
      [email],
    );
    const unsubscribed = unsubscribe(email);
    await database.waiting(1);
    await signUp(backend, { email });
    await holder.end();
    expect((await unsubscribed).status).toBe(201);
    expect(await isUnsubscribed(email)).toBe(true);
    const events = await eventsWith(database, { email });
    const times = events.map(({ data }) => String(data.signedUpAt ?? data.receivedAt));
    expect(events.map(({ type }) => type)).toEqual(['signup.created', 'signup.created', 'privacy_request.received']);
    expect(times).toEqual(times.toSorted());
    expect(new Set(times).size).toBe(3);
  });

  test('before a signup that waited for it has the earlier time', async () => {
    const { email } = (await signUp(backend)).body.entry;
    const holder = await database.lock('SELECT FROM subscriber WHERE email = $1 FOR UPDATE', [email]);
    const signedUp = signUp(backend, { email });
    await database.waiting(1);
    const unsubscribing =
      'UPDATE subscriber SET unsubscribed_at = clock_timestamp() WHERE email = $1 RETURNING unsubscribed_at AS at';
    const [{ at }] = (await holder.query(unsubscribing, [email])).rows;
    await holder.query('COMMIT');
    await holder.end();
    const [event] = await eventsWith(database, { entryId: (await signedUp).body.entry.id });
    expect(event?.data.resubscribed).toBe(true);
    expect(Date.parse(String(event?.data.signedUpAt))).toBeGreaterThanOrEqual(at.getTime());
  });

  test('of an unknown address gets the same response as of a known one, and creates no subscriber', async () => {
    const { email: known } = (await signUp(backend)).body.entry;
    const unknown = anAddress();
    expect(shapeOf(await unsubscribe(unknown))).toEqual(shapeOf(await unsubscribe(known)));
    expect(await reported(unknown)).toHaveLength(1);
    expect(await isUnsubscribed(unknown)).toBeUndefined();
  });
});

describe('a repeat of an open request', () => {
  test('stores nothing, from whatever network and page, and in any spelling of the address', async () => {
    const email = anAddress();
    const { body } = await make(rightsRequest(email));
    for (const changes of [{}, { email: email.toUpperCase() }, { pageVersion: 'mf-privacy@2.0.0-3f9ac2d1' }]) {
      const repeat = await make({ ...rightsRequest(email), ...changes }, { 'x-forwarded-for': '192.0.2.7' });
      expect([repeat.status, repeat.body.reference]).toEqual([201, body.reference]);
    }
    expect(await stored(email)).toHaveLength(1);
    expect(await reported(email)).toHaveLength(1);
  });

  test('cannot be told from a new one: its due date is counted from now', async () => {
    const email = anAddress();
    await make(rightsRequest(email));
    await database.query(
      "UPDATE privacy_request SET received_at = received_at - interval '9 days', due_at = due_at - interval '9 days' WHERE email = $1",
      [email],
    );
    const [before] = await stored(email);
    const [repeat, fresh] = [await make(rightsRequest(email)), await make(rightsRequest(anAddress()))];
    expect(shapeOf(repeat)).toEqual(shapeOf(fresh));
    expect(Math.abs(Date.parse(repeat.body.dueAt) - Date.parse(fresh.body.dueAt))).toBeLessThan(3_600_000);
    // The visitor is promised no more than is kept.
    expect(before?.due_at.getTime()).toBeLessThan(Date.parse(repeat.body.dueAt));
    expect(await stored(email)).toEqual([before]);
  });

  const limit = (...categoriesToLimit: string[]) => ({ kind: 'limit-sensitive-info', fields: { categoriesToLimit } });
  const overdue = "received_at = received_at - interval '46 days', due_at = received_at - interval '1 day'";
  test.each<[what: string, first: object, second: object, isRepeat: boolean, change?: string]>([
    ['the same categories in another order', limit('health', 'browsing'), limit('browsing', 'health'), true],
    ['fewer categories', limit('health', 'browsing'), limit('browsing'), false],
    ['another kind', {}, { kind: 'unsubscribe', fields: {} }, false],
    ['other comments', {}, rightsRequest('', { comments: 'Another one.' }), false],
    ['another type', {}, rightsRequest('', { requestType: 'access' }), false],
    ['the same content after it is done', {}, {}, false, 'done_at = now()'],
    ['the same content after it is overdue', {}, {}, false, overdue],
  ])('has %s: %#', async (_what, first, second, isRepeat, change = '') => {
    const email = anAddress();
    const one = await make({ ...rightsRequest(email), ...first, email });
    if (change) await database.query(`UPDATE privacy_request SET ${change} WHERE email = $1`, [email]);
    const other = await make({ ...rightsRequest(email), ...second, email });
    expect(one.body.reference === other.body.reference).toBe(isRepeat);
    expect(await stored(email)).toHaveLength(isRepeat ? 1 : 2);
    expect(await reported(email)).toHaveLength(isRepeat ? 1 : 2);
  });
});

describe('the limit by address', () => {
  test('accepts five requests of a kind a day, from any network and in any spelling of the address', async () => {
    const email = anAddress();
    const spell = (number: number) => (number % 2 === 0 ? email : email.toUpperCase());
    const statuses: number[] = [];
    for (let number = 0; number < 7; number += 1) {
      const request = rightsRequest(spell(number), { comments: `Number ${number}` });
      statuses.push((await make(request, { 'x-forwarded-for': `192.0.2.${number}` })).status);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429]);
    const late = rightsRequest(email, { comments: 'Late' });
    const { status, headers, body } = await backend.request<ErrorBody>('POST', path, { json: late });
    expect([status, body.error]).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(body.message).toContain('Please try again tomorrow, or write to our support.');
    const wait = Number(headers.get('retry-after'));
    expect(wait).toBeGreaterThan(86_000);
    expect(wait).toBeLessThanOrEqual(86_400);
    // Repeats, and other kinds.
    expect((await make(rightsRequest(email, { comments: 'Number 0' }))).status).toBe(201);
    expect((await unsubscribe(email)).status).toBe(201);
    const first = "fields->>'comments' = 'Number 0' AND email = $1";
    await database.query(`UPDATE privacy_request SET received_at = received_at - interval '1 day' WHERE ${first}`, [
      email,
    ]);
    expect((await make(late)).status).toBe(201);
  });

  test('holds for requests that arrive at once', async () => {
    const email = anAddress();
    const requests = Array.from({ length: 20 }, (_, number) => rightsRequest(email, { comments: `Number ${number}` }));
    const made = await Promise.all(requests.map((request) => make(request)));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(await stored(email)).toHaveLength(5);
  });

  test('an unsubscribe that ends a subscription is never refused', async () => {
    const email = anAddress();
    for (let time = 0; time < 8; time += 1) {
      await signUp(backend, { email });
      expect((await unsubscribe(email)).status).toBe(201);
      expect(await isUnsubscribed(email)).toBe(true);
      await database.query('UPDATE privacy_request SET done_at = now() WHERE email = $1', [email]);
    }
    expect((await unsubscribe(email)).status).toBe(429);
  });
});
