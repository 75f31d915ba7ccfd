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

const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record' });

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

  test('is idempotent: 20 concurrent calls with one key get one response and store one event', async () => {
    const request = privacyRequest();
    const responses = await Promise.all(Array.from({ length: 20 }, () => make(request)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await stored(request.email)).toHaveLength(1);
    expect(await eventsWith(database, { email: request.email })).toHaveLength(1);
  });

  test('with another key is another request, also for the same address', async () => {
    const email = anAddress();
    const responses = await Promise.all(Array.from({ length: 20 }, () => make(privacyRequest({ email }))));
    expect(new Set(responses.map(({ body }) => body.reference)).size).toBe(20);
    expect(await eventsWith(database, { email })).toHaveLength(20);
  });

  test('with the key of a different request is rejected and not stored', async () => {
    const request = privacyRequest();
    await make(request);
    for (const change of [{ email: anAddress() }, { kind: 'profiling-opt-out' }]) {
      const { status, body } = await backend.request<ErrorBody>('POST', path, { json: { ...request, ...change } });
      expect([status, body.error]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    }
    expect(
      await database.query('SELECT FROM privacy_request WHERE idempotency_key = $1', [request.idempotencyKey]),
    ).toHaveLength(1);
    expect(await stored(request.email)).toMatchObject([{ kind: 'unsubscribe' }]);
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

  test('ends when the address signs up again, and a late retry does not restore it', async () => {
    const { email } = (await signUp(backend)).body.entry;
    const request = privacyRequest({ email });
    await make(request);
    await signUp(backend, { email });
    expect(await isUnsubscribed(email)).toBe(false);
    expect((await make(request)).status).toBe(201);
    expect(await isUnsubscribed(email)).toBe(false);
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
