import {
  type ErrorBody,
  type PrivacyRequestKind,
  privacyRequestKinds,
  privacyRequestResponseSchema,
} from '@daybook/contract/api';
import { eventKinds } from '@daybook/contract/events';
import { describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { anEmail, privacyRequest } from './support/factories.ts';
import type { TestResponse } from './support/test-backend.ts';
import { useBackend } from './support/use-backend.ts';

const settings = { PRIVACY_REQUESTS: 'record', LIMIT_ADDRESS_PRIVACY_REQUESTS: 5 } as const;
const { database, backend, withSettings } = useBackend(settings);

const stored = (email: string) =>
  database.query<{ reference: string; due_at: Date; received_at: Date }>(
    'SELECT * FROM privacy_request WHERE email = $1 ORDER BY id',
    [email],
  );
const reported = async (email: string) =>
  (await database.eventsWith({ email })).filter(({ type }) => type === 'privacy_request.received');
/** Returns how many requests of an email are stored, and how many are reported. */
const counts = async (email: string) => [(await stored(email)).length, (await reported(email)).length];
async function isUnsubscribed(email: string) {
  const statement = 'SELECT unsubscribed_at IS NOT NULL AS yes FROM subscriber WHERE email = $1';
  return (await database.query(statement, [email]))[0]?.yes;
}
const change = (changes: string, email: string) =>
  database.query(`UPDATE privacy_request SET ${changes} WHERE email = $1`, [email]);

const rightsRequest = (changes: object = {}) => ({
  kind: 'privacy-rights-request',
  fields: { name: 'Ada Reader', requestType: 'correct', comments: 'One “letter”\nis wrong.', ...changes },
});
const limiting = (...categoriesToLimit: string[]) => ({ kind: 'limit-sensitive-info', fields: { categoriesToLimit } });
const requestOf = (kind: PrivacyRequestKind) =>
  [rightsRequest(), limiting('browsing', 'health')].find((each) => each.kind === kind) ?? { kind, fields: {} };

/** Returns what of a response must not depend on what is stored. */
const shapeOf = ({ status, headers, body }: TestResponse<object>) => [
  status,
  [...headers.keys()].sort(),
  headers.get('content-length'),
  Object.keys(body),
];

describe('a privacy request', () => {
  test.each(privacyRequestKinds)('of the kind %s is stored with its due date and its event', async (kind) => {
    const { email } = await backend.anEntry();
    const globalPrivacyControl = kind.endsWith('opt-out');
    const headers = { 'sec-gpc': globalPrivacyControl ? '1' : '0' };
    const { fields, pageVersion } = privacyRequest(requestOf(kind));
    const { status, body } = await backend.makePrivacyRequest({ ...requestOf(kind), email }, headers);
    expect(status).toBe(201);
    expect(privacyRequestResponseSchema.parse(body)).toEqual(body);
    const { reference, dueAt } = body;
    const [row, ...others] = await stored(email);
    expect(others).toEqual([]);
    const columns = { page_version: pageVersion, due_at: new Date(dueAt), done_at: null };
    const signal = { global_privacy_control: globalPrivacyControl };
    expect(row).toMatchObject({ reference, kind, fields, ...columns, ...signal });
    const [event, ...more] = await reported(email);
    expect(more).toEqual([]);
    const times = { receivedAt: row?.received_at.toISOString(), dueAt };
    expect(event?.data).toEqual({ reference, kind, email, fields, pageVersion, globalPrivacyControl, ...times });
    expect(eventKinds['privacy_request.received'].data.parse(event?.data)).toEqual(event?.data);
    expect(await isUnsubscribed(email)).toBe(['unsubscribe', 'ca-unsubscribe'].includes(kind));
  });

  test('is stored once, with one event, if 20 equal ones arrive at once', async () => {
    const email = anEmail();
    const responses = await Promise.all(Array.from({ length: 20 }, () => backend.unsubscribe(email)));
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.reference}`)).size).toBe(1);
    expect(await counts(email)).toEqual([1, 1]);
  });

  test('is not stored and unsubscribes no one if its event cannot be stored', async () => {
    const { email } = await backend.anEntry();
    const check = `CHECK (data->>'email' <> '${email}' OR type = 'signup.created')`;
    await database.query(`ALTER TABLE outbox_event ADD CONSTRAINT rejecting ${check}`);
    expect((await backend.unsubscribe(email)).status).toBe(500);
    await database.query('ALTER TABLE outbox_event DROP CONSTRAINT rejecting');
    expect(await stored(email)).toEqual([]);
    expect(await isUnsubscribed(email)).toBe(false);
  });

  test('responds with 404 without PRIVACY_REQUESTS=record', async () => {
    await withSettings({}, async (other) =>
      expect(await other.makePrivacyRequest()).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } }),
    );
  });
});

test('an unsubscribe ends when the email signs up again, and the next one is reported again', async () => {
  const { email } = await backend.anEntry();
  const { body } = await backend.unsubscribe(email);
  await backend.signUp({ email });
  expect(await isUnsubscribed(email)).toBe(false);
  expect((await backend.unsubscribe(email)).body.reference).toBe(body.reference);
  expect(await isUnsubscribed(email)).toBe(true);
  expect(await counts(email)).toEqual([1, 2]);
  const events = await reported(email);
  const both = { reference: body.reference, dueAt: (await stored(email))[0]?.due_at.toISOString() };
  expect(events).toMatchObject([{ data: both }, { data: both }]);
  // Receivers let the later of unsubscribe and signup win.
  expect(new Set(events.map(({ data }) => data.receivedAt)).size).toBe(2);
});

describe('a repeat of an open request', () => {
  test('cannot be told from a new one: its due date is counted from now', async () => {
    const email = anEmail();
    await backend.makePrivacyRequest({ ...rightsRequest(), email });
    await change("received_at = received_at - interval '9 days', due_at = due_at - interval '9 days'", email);
    const [before] = await stored(email);
    const repeat = await backend.makePrivacyRequest({ ...rightsRequest(), email });
    const fresh = await backend.makePrivacyRequest(rightsRequest());
    expect(shapeOf(repeat)).toEqual(shapeOf(fresh));
    expect(Math.abs(Date.parse(repeat.body.dueAt) - Date.parse(fresh.body.dueAt))).toBeLessThan(3_600_000);
    // The visitor is promised no more than is kept.
    expect(before?.due_at.getTime()).toBeLessThan(Date.parse(repeat.body.dueAt));
    expect(await stored(email)).toEqual([before]);
  });

  test('is reported again with a new due date if it was overdue', async () => {
    const request = { ...rightsRequest(), email: anEmail() };
    const { body } = await backend.makePrivacyRequest(request);
    await change("received_at = received_at - interval '99 days', due_at = due_at - interval '99 days'", request.email);
    const [before] = await stored(request.email);
    const { reference, dueAt } = (await backend.makePrivacyRequest(request)).body;
    expect(reference).toBe(body.reference);
    expect(await stored(request.email)).toEqual([{ ...before, due_at: new Date(dueAt) }]);
    expect((await reported(request.email)).at(-1)).toMatchObject({ data: { reference, dueAt } });
    await backend.makePrivacyRequest(request);
    expect(await counts(request.email)).toEqual([1, 2]);
  });

  test.each<[what: string, first: object, second: object, isRepeat: boolean, change?: string]>([
    ['with the categories in another order', limiting('health', 'browsing'), limiting('browsing', 'health'), true],
    ['but with other comments', {}, rightsRequest({ comments: 'Another one.' }), false],
    ['but after it is done', {}, {}, false, 'done_at = now()'],
  ])('is one %s', async (_what, first, second, isRepeat, changes = '') => {
    const request = { ...rightsRequest(), email: anEmail(), ...first };
    const one = await backend.makePrivacyRequest(request);
    if (changes) await change(changes, request.email);
    const other = await backend.makePrivacyRequest({ ...request, ...second }, { 'x-forwarded-for': '192.0.2.7' });
    expect([other.status, other.body.reference === one.body.reference]).toEqual([201, isRepeat]);
    expect(await counts(request.email)).toEqual(isRepeat ? [1, 1] : [2, 2]);
  });
});

describe('the limit by email', () => {
  const numbered = (number: number, email: string) => ({ ...rightsRequest({ comments: `Number ${number}` }), email });

  test('accepts five requests of a kind a day, from any network and in any spelling', async () => {
    const email = anEmail();
    for (let number = 0; number < 5; number += 1) {
      const sent = numbered(number, number % 2 ? email : email.toUpperCase());
      const { status } = await backend.makePrivacyRequest(sent, { 'x-forwarded-for': `192.0.2.${number}` });
      expect(status).toBe(201);
    }
    const { status, headers, body } = await backend.makePrivacyRequest<ErrorBody>(numbered(20, email));
    expect([status, body.error]).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(body.message).toContain('Please try again tomorrow, or write to our support.');
    expect(Number(headers.get('retry-after')) / 3_600).toBeCloseTo(24, 0);
    // Another kind.
    expect((await backend.unsubscribe(email)).status).toBe(201);
    const first = "fields->>'comments' = 'Number 0'";
    await database.query(`UPDATE privacy_request SET received_at = received_at - interval '1 day' WHERE ${first}`);
    expect((await backend.makePrivacyRequest(numbered(20, email))).status).toBe(201);
  });

  test('an unsubscribe that ends a subscription is never refused', async () => {
    const email = anEmail();
    for (let time = 0; time < 8; time += 1) {
      await backend.signUp({ email });
      expect((await backend.unsubscribe(email)).status).toBe(201);
      expect(await isUnsubscribed(email)).toBe(true);
      await change('done_at = now()', email);
    }
    expect((await backend.unsubscribe(email)).status).toBe(429);
  });
});

test('an unsubscribe sends the same statements for a known email and an unknown one', async () => {
  const { email: known } = await backend.anEntry();
  const query = jest.spyOn(pg.Client.prototype, 'query');
  const statementsOf = async (email: string) => {
    query.mockClear();
    expect((await backend.unsubscribe(email)).status).toBe(201);
    return query.mock.calls.map(([statement]: unknown[]) => Object(statement).text ?? statement);
  };
  const ofKnown = await statementsOf(known);
  expect(ofKnown.filter((statement) => /^(?:START|COMMIT)/.test(statement))).toHaveLength(2);
  expect(await statementsOf(anEmail())).toEqual(ofKnown);
  await change('done_at = now()', known);
  expect(await statementsOf(known)).toEqual(ofKnown);
});
