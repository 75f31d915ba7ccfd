import {
  type ErrorBody,
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

const { database, backend, restart } = useBackend({ PRIVACY_REQUESTS: 'record' });

beforeAll(() => {
  backend.app.useLogger(false);
});

const path = '/api/privacy-requests';
const make = (request: object, headers: Record<string, string> = {}) =>
  backend.request<PrivacyRequestResponse>('POST', path, { json: request, headers });
const stored = (email: string) =>
  database.query<{ reference: string; due_at: Date; received_at: Date }>(
    'SELECT * FROM privacy_request WHERE email = $1 ORDER BY id',
    [email],
  );
const isUnsubscribed = async (email: string) =>
  (
    await database.query<{ yes: boolean }>(
      'SELECT unsubscribed_at IS NOT NULL AS yes FROM subscriber WHERE email = $1',
      [email],
    )
  )[0]?.yes;

const fieldsOf = {
  unsubscribe: {},
  'ca-unsubscribe': {},
  'privacy-rights-request': { name: 'Ada Reader', requestType: 'correct', comments: 'One “letter”\nis wrong.' },
  'profiling-opt-out': {},
  'targeted-opt-out': {},
  'limit-sensitive-info': { categoriesToLimit: ['health', 'browsing'] },
} as const;

describe('a privacy request', () => {
  test.each(privacyRequestKinds)('of the kind %s is stored with its due date and its event', async (kind) => {
    const request = { ...privacyRequest(), kind, fields: fieldsOf[kind] };
    const { status, body } = await make(request);
    expect(status).toBe(201);
    expect(privacyRequestResponseSchema.parse(body)).toEqual(body);
    const [row, ...others] = await stored(request.email);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      reference: body.reference,
      kind,
      fields: request.fields,
      page_version: request.pageVersion,
      global_privacy_control: false,
      due_at: new Date(body.dueAt),
      done_at: null,
    });
    const [event, ...more] = await eventsWith(database, { email: request.email });
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: 'privacy_request.received',
      data: {
        ...body,
        kind,
        email: request.email,
        fields: request.fields,
        pageVersion: request.pageVersion,
        globalPrivacyControl: false,
        receivedAt: row?.received_at.toISOString(),
      },
    });
    expect(eventKinds['privacy_request.received'].data.parse(event?.data)).toEqual(event?.data);
  });

  test.each([
    [{ 'sec-gpc': '1' }, true],
    [{ 'sec-gpc': '0' }, false],
    [{}, false],
  ])('with the headers %j is stored with the Global Privacy Control signal %p', async (headers, signal) => {
    const request = privacyRequest();
    await make(request, headers as Record<string, string>);
    expect(await stored(request.email)).toMatchObject([{ global_privacy_control: signal }]);
  });

  test('is stored once, with one event, if 20 equal ones arrive at once', async () => {
    const request = privacyRequest();
    const responses = await Promise.all(Array.from({ length: 20 }, () => make(request)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(responses.map(({ body }) => body.reference)).size).toBe(1);
    expect(await stored(request.email)).toHaveLength(1);
    expect(await eventsWith(database, { email: request.email })).toHaveLength(1);
  });

  test('is not stored and unsubscribes no one if its event cannot be stored', async () => {
    const { email } = (await signUp(backend)).body.entry;
    await database.query(
      `ALTER TABLE outbox_event ADD CONSTRAINT rejecting CHECK (data->>'email' <> '${email}' OR type = 'signup.created')`,
    );
    expect((await make(privacyRequest({ email }))).status).toBe(500);
    await database.query('ALTER TABLE outbox_event DROP CONSTRAINT rejecting');
    expect(await stored(email)).toEqual([]);
    expect(await isUnsubscribed(email)).toBe(false);
  });

  test('from another site’s page is rejected (CSRF)', async () => {
    const { status, body } = await make(privacyRequest(), { origin: 'https://evil.example' });
    expect([status, body]).toMatchObject([403, { error: 'FOREIGN_ORIGIN' }]);
  });
});

describe('an unsubscribe', () => {
  test.each(['unsubscribe', 'ca-unsubscribe'] as const)('of the kind %s marks the subscriber', async (kind) => {
    const { email } = (await signUp(backend)).body.entry;
    expect(await isUnsubscribed(email)).toBe(false);
    await make(privacyRequest({ kind, email }));
    expect(await isUnsubscribed(email)).toBe(true);
  });

  test('matches the subscriber’s address case-insensitively', async () => {
    const email = `Ada.${anAddress()}`;
    await signUp(backend, { email });
    await make(privacyRequest({ email: ` ${email.toUpperCase()} ` }));
    expect(await isUnsubscribed(email)).toBe(true);
  });

  test('ends when the address signs up again; the next one has its effect and is reported, while the first is open', async () => {
    const { email } = (await signUp(backend)).body.entry;
    const request = privacyRequest({ email });
    const { body } = await make(request);
    await signUp(backend, { email });
    expect(await isUnsubscribed(email)).toBe(false);
    expect((await make(request)).body.reference).toBe(body.reference);
    expect(await isUnsubscribed(email)).toBe(true);
    const [row, ...others] = await stored(email);
    expect(others).toEqual([]);
    const events = (await eventsWith(database, { email })).filter(({ type }) => type === 'privacy_request.received');
    expect(events.map(({ data }) => [data.reference, data.dueAt])).toEqual(
      Array(2).fill([body.reference, row?.due_at.toISOString()]),
    );
    // Receivers let the later of unsubscribe and signup win.
    expect(new Set(events.map(({ data }) => data.receivedAt)).size).toBe(2);
  });

  test('alternating with signups is reported a few times a day, and has its effect each time', async () => {
    const email = anAddress();
    const count = async (type: string) =>
      (await eventsWith(database, { email })).filter((event) => event.type === type).length;
    for (let time = 0; time < 8; time += 1) {
      await signUp(backend, { email });
      expect((await make(privacyRequest({ email }))).status).toBe(201);
      expect(await isUnsubscribed(email)).toBe(true);
    }
    // The first signup, and three that end an unsubscribe.
    expect([await count('signup.created'), await count('privacy_request.received')]).toEqual([4, 4]);
    // On the next day, a signup is reported, and so is the unsubscribe after it.
    await database.query('UPDATE subscriber SET last_signup_on = last_signup_on - 1 WHERE email = $1', [email]);
    await signUp(backend, { email });
    await make(privacyRequest({ email }));
    expect([await count('signup.created'), await count('privacy_request.received')]).toEqual([5, 5]);
  });

  test('that waited for another request has a later time than a signup before it in the table', async () => {
    const { email } = (await signUp(backend)).body.entry;
    const holder = await database.lock(
      `SELECT pg_advisory_xact_lock(hashtext('privacy_request'), hashtext(lower($1 COLLATE "C")))`,
      [email],
    );
    const unsubscribed = make(privacyRequest({ email }));
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
    const [{ at }] = (
      await holder.query(
        'UPDATE subscriber SET unsubscribed_at = clock_timestamp() WHERE email = $1 RETURNING unsubscribed_at AS at',
        [email],
      )
    ).rows;
    await holder.query('COMMIT');
    await holder.end();
    const { id } = (await signedUp).body.entry;
    const [event] = await eventsWith(database, { entryId: id });
    expect(event?.data.resubscribed).toBe(true);
    expect(Date.parse(String(event?.data.signedUpAt))).toBeGreaterThanOrEqual(at.getTime());
  });

  test('of an unknown address gets the same response as of a known one, and creates no subscriber', async () => {
    const { email: known } = (await signUp(backend)).body.entry;
    const unknown = anAddress();
    const [one, other] = [await make(privacyRequest({ email: known })), await make(privacyRequest({ email: unknown }))];
    const shapeOf = ({ status, headers, body }: typeof one) => [
      status,
      [...headers.keys()].sort(),
      headers.get('content-length'),
      Object.keys(body),
    ];
    expect(shapeOf(other)).toEqual(shapeOf(one));
    expect(await eventsWith(database, { email: unknown })).toHaveLength(1);
    expect(await isUnsubscribed(unknown)).toBeUndefined();
  });

  test('of another address and the other kinds of requests do not change a subscriber', async () => {
    const { email } = (await signUp(backend)).body.entry;
    for (const kind of privacyRequestKinds.slice(2))
      await make({ ...privacyRequest({ email }), kind, fields: fieldsOf[kind] });
    await make(privacyRequest({ email: email.replace('reader', 'ader') }));
    expect(await isUnsubscribed(email)).toBe(false);
  });
});

describe('a repeat of an open request', () => {
  const request = (email: string) => ({
    ...privacyRequest({ email }),
    kind: 'privacy-rights-request',
    fields: fieldsOf['privacy-rights-request'],
  });

  test('stores nothing, from whatever network and page, and in any spelling of the address', async () => {
    const email = anAddress();
    const { body } = await make(request(email));
    for (const changes of [{}, { email: email.toUpperCase() }, { pageVersion: 'mf-privacy@2.0.0-3f9ac2d1' }]) {
      const repeat = await make({ ...request(email), ...changes }, { 'x-forwarded-for': '192.0.2.7' });
      expect([repeat.status, repeat.body.reference]).toEqual([201, body.reference]);
    }
    expect(await stored(email)).toHaveLength(1);
    expect(await eventsWith(database, { email })).toHaveLength(1);
  });

  test('is one with the same categories in another order', async () => {
    const email = anAddress();
    const limit = (...categoriesToLimit: string[]) =>
      make({ ...privacyRequest({ email }), kind: 'limit-sensitive-info', fields: { categoriesToLimit } });
    const { body } = await limit('health', 'browsing');
    expect((await limit('browsing', 'health')).body.reference).toBe(body.reference);
    expect((await limit('browsing')).body.reference).not.toBe(body.reference);
    expect(await stored(email)).toHaveLength(2);
  });

  test('cannot be told from a new one: its due date is counted from now', async () => {
    const email = anAddress();
    await make(request(email));
    await database.query(
      "UPDATE privacy_request SET received_at = received_at - interval '9 days', due_at = due_at - interval '9 days' WHERE email = $1",
      [email],
    );
    const [before] = await stored(email);
    const [repeat, fresh] = [await make(request(email)), await make(request(anAddress()))];
    const shapeOf = ({ status, headers, body }: typeof repeat) => [
      status,
      [...headers.keys()].sort(),
      headers.get('content-length'),
      Object.keys(body),
    ];
    expect(shapeOf(repeat)).toEqual(shapeOf(fresh));
    expect(Math.abs(Date.parse(repeat.body.dueAt) - Date.parse(fresh.body.dueAt))).toBeLessThan(3_600_000);
    // The visitor is promised no more than is kept.
    expect(before?.due_at.getTime()).toBeLessThan(Date.parse(repeat.body.dueAt));
    expect(await stored(email)).toEqual([before]);
  });

  test.each([
    ['another kind', { kind: 'unsubscribe', fields: {} }],
    ['other comments', { fields: { ...fieldsOf['privacy-rights-request'], comments: 'Another one.' } }],
    ['another type', { fields: { ...fieldsOf['privacy-rights-request'], requestType: 'access' } }],
  ])('is none with %s', async (_what, changes) => {
    const email = anAddress();
    const [one, other] = [await make(request(email)), await make({ ...request(email), ...changes })];
    expect(other.body.reference).not.toBe(one.body.reference);
    expect(await stored(email)).toHaveLength(2);
  });

  test.each([
    ['it is done', 'done_at = now()'],
    ['it is overdue', "received_at = received_at - interval '46 days', due_at = received_at - interval '1 day'"],
  ])('is a new request after %s', async (_what, change) => {
    const email = anAddress();
    const one = await make(request(email));
    await database.query(`UPDATE privacy_request SET ${change} WHERE email = $1`, [email]);
    expect((await make(request(email))).body.reference).not.toBe(one.body.reference);
    expect(await eventsWith(database, { email })).toHaveLength(2);
  });
});

describe('with the default limits by address', () => {
  beforeAll(() => restart({ PRIVACY_REQUESTS: 'record', LIMIT_ADDRESS_PRIVACY_REQUESTS: 5 }));

  const rights = (email: string, comments: string) => ({
    ...privacyRequest({ email }),
    kind: 'privacy-rights-request',
    fields: { ...fieldsOf['privacy-rights-request'], comments },
  });

  test('five requests of a kind are stored a day, from any network and in any spelling of the address', async () => {
    const email = anAddress();
    const spell = (number: number) => (number % 2 === 0 ? email : email.toUpperCase());
    const statuses: number[] = [];
    for (let number = 0; number < 8; number += 1)
      statuses.push(
        (await make(rights(spell(number), `Number ${number}`), { 'x-forwarded-for': `192.0.2.${number}` })).status,
      );
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429, 429]);
    const { status, headers, body } = await backend.request<ErrorBody>('POST', path, { json: rights(email, 'Late') });
    expect([status, body.error]).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(body.message).toContain('Please try again tomorrow, or write to our support.');
    const wait = Number(headers.get('retry-after'));
    expect(wait).toBeGreaterThan(86_000);
    expect(wait).toBeLessThanOrEqual(86_400);
    // Repeats, and other kinds.
    expect((await make(rights(email, 'Number 0'))).status).toBe(201);
    expect((await make(privacyRequest({ email }))).status).toBe(201);
    await database.query(
      "UPDATE privacy_request SET received_at = received_at - interval '1 day' WHERE fields->>'comments' = 'Number 0' AND lower(email) = lower($1)",
      [email],
    );
    expect((await make(rights(email, 'Late'))).status).toBe(201);
  });

  test('also at once', async () => {
    const email = anAddress();
    const made = await Promise.all(Array.from({ length: 20 }, (_, number) => make(rights(email, `Number ${number}`))));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(await stored(email)).toHaveLength(5);
  });

  test('an unsubscribe that ends a subscription is never refused', async () => {
    const email = anAddress();
    for (let time = 0; time < 8; time += 1) {
      await signUp(backend, { email });
      expect((await make(privacyRequest({ email }))).status).toBe(201);
      expect(await isUnsubscribed(email)).toBe(true);
      await database.query('UPDATE privacy_request SET done_at = now() WHERE email = $1', [email]);
    }
    expect((await make(privacyRequest({ email }))).status).toBe(429);
  });

  test('comments take at most 10,000 bytes, in any script', async () => {
    for (const [character, most] of [
      ['a', 10_000],
      ['é', 5_000],
      ['語', 3_333],
      ['😀', 2_500],
    ] as const) {
      const email = anAddress();
      expect((await make(rights(email, character.repeat(most + 1)))).status).toBe(400);
      expect((await make(rights(email, character.repeat(most)))).status).toBe(201);
    }
  });
});

test('without PRIVACY_REQUESTS=record, the call responds with 404 and stores nothing', async () => {
  const other = await startBackend({ DATABASE_URL: database.url });
  other.app.useLogger(false);
  try {
    const request = privacyRequest();
    const { status, body } = await other.request<ErrorBody>('POST', path, { json: request });
    expect([status, body.error]).toEqual([404, 'NOT_FOUND']);
    expect(await stored(request.email)).toEqual([]);
  } finally {
    await other.stop();
  }
});
