import type { WaitlistEntryResponse } from '@daybook/contract/api';
import { eventKinds } from '@daybook/contract/events';
import { describe, expect, test } from '@jest/globals';
import { anAddress, completionNotice, information, privacyRequest, signUp } from './support/factories.ts';
import { runOperator } from './support/operator.ts';
import { eventsWith } from './support/outbox.ts';
import { type TestResponse } from './support/test-backend.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record' });

/** Signs up with the honeypot field filled in. */
async function signUpSuspected(email = anAddress()) {
  const json = { email, topic: 'Cheap watches' };
  const response = await backend.request<WaitlistEntryResponse>('POST', '/api/waitlist', { json });
  return { ...response, email, id: response.body?.entry?.id };
}
const withCookie = (cookie = '') => ({ headers: { cookie } });
const complete = (id: number, cookie?: string) =>
  backend.request('PUT', `/api/waitlist/${id}/complete`, withCookie(cookie));
const notify = (id: number, cookie?: string) =>
  backend.request('POST', `/api/waitlist/${id}/notify-complete`, { json: completionNotice(), ...withCookie(cookie) });

const stored = async (id: number) =>
  (
    await database.query(
      'SELECT suspected, num_nonnulls(completed_at, notice_received_at) > 0 AS completed FROM waitlist_entry WHERE id = $1',
      [id],
    )
  )[0];
const typesOf = async (email: string) => (await eventsWith(database, { email })).map(({ type }) => type).sort();

describe('a signup with the honeypot field filled in', () => {
  test('is stored as suspected, without an event', async () => {
    const { id, email } = await signUpSuspected();
    expect(await stored(id)).toEqual({ suspected: true, completed: false });
    expect(await typesOf(email)).toEqual([]);
  });

  test('is rejected for an invalid address, like any other', async () => {
    expect((await signUpSuspected('nobody')).status).toBe(400);
  });

  test.each([[{}], [{ topic: '' }]])('does not include a signup with %p', async (others) => {
    const json = { email: anAddress(), ...others };
    const { body } = await backend.request<WaitlistEntryResponse>('POST', '/api/waitlist', { json });
    expect(await stored(body.entry.id)).toEqual({ suspected: false, completed: false });
    expect(await typesOf(json.email)).toEqual(['signup.created']);
  });

  test('gets the responses of an ordinary one, from the signup to the completion notice', async () => {
    const shapeOf = ({ status, headers, body, cookie }: TestResponse) => ({
      status,
      headers: [...headers.keys()],
      body: JSON.stringify(body, (key, value) => (key === 'id' || key === 'email' ? typeof value : value)),
      cookie: cookie?.replace(/=.*/, ''),
    });
    const journeyOf = async (signup: TestResponse<WaitlistEntryResponse>) => {
      const { id, email } = signup.body.entry;
      const path = `/api/waitlist/${id}`;
      const cookie = withCookie(signup.cookie);
      return [
        signup,
        await backend.request('GET', `/api/waitlist/by-email?email=${encodeURIComponent(email)}`, cookie),
        await backend.request('PUT', `${path}/step/2`),
        await complete(id),
        await notify(id),
        await backend.request('PUT', path, { json: information() }),
        await backend.request('PUT', `${path}/offers`, { json: { selectedOffers: ['vivint'] } }),
        await backend.request('PUT', `${path}/update-client-info`),
        await complete(id, signup.cookie),
        await notify(id, signup.cookie),
      ].map(shapeOf);
    };
    expect(await journeyOf(await signUpSuspected())).toEqual(await journeyOf(await signUp(backend)));
  });
});

describe('a suspected entry', () => {
  test.each([
    ['completes', complete],
    ['gives the completion notice of', notify],
  ])('is confirmed when the browser that signed up %s it, with both events', async (_what, call) => {
    const { id, email, cookie } = await signUpSuspected();
    await call(id, cookie);
    expect(await stored(id)).toEqual({ suspected: false, completed: true });
    expect(await typesOf(email)).toEqual(['signup.completed', 'signup.created']);
    const [created] = (await eventsWith(database, { email })).filter(({ type }) => type === 'signup.created');
    const [{ created_at }] = (await database.query('SELECT created_at FROM waitlist_entry WHERE id = $1', [id])) as [
      { created_at: Date },
    ];
    expect(created?.data).toEqual({ entryId: id, email, signedUpAt: created_at.toISOString(), resubscribed: false });
    expect(eventKinds['signup.created'].data.safeParse(created?.data).success).toBe(true);
  });

  test('is confirmed once by 50 concurrent calls', async () => {
    const { id, email, cookie } = await signUpSuspected();
    await Promise.all(Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? complete : notify)(id, cookie)));
    expect(await typesOf(email)).toEqual(['signup.completed', 'signup.created']);
  });

  test('stays suspected and unfinished if another browser completes it', async () => {
    const { id, email } = await signUpSuspected();
    const other = await signUpSuspected();
    for (const cookie of [undefined, other.cookie, 'waitlist=forged']) {
      expect((await complete(id, cookie)).status).toBe(200);
      expect((await notify(id, cookie)).status).toBe(200);
    }
    expect(await stored(id)).toEqual({ suspected: true, completed: false });
    expect(await typesOf(email)).toEqual([]);
  });

  test('stays suspected when its events cannot be stored', async () => {
    const { id, email, cookie } = await signUpSuspected();
    await database.query(`ALTER TABLE outbox_event ADD CONSTRAINT rejecting CHECK (data->>'email' <> '${email}')`);
    expect((await complete(id, cookie)).status).toBe(500);
    await database.query('ALTER TABLE outbox_event DROP CONSTRAINT rejecting');
    expect(await stored(id)).toEqual({ suspected: true, completed: false });
  });

  test('ends an unsubscribe only once it is confirmed, and only one from before the signup', async () => {
    const email = anAddress();
    const isUnsubscribed = async () =>
      (await database.query('SELECT unsubscribed_at IS NOT NULL AS is FROM subscriber WHERE email = $1', [email]))[0];
    const unsubscribe = () => backend.request('POST', '/api/privacy-requests', { json: privacyRequest({ email }) });
    await unsubscribe();
    const first = await signUpSuspected(email);
    expect(await isUnsubscribed()).toEqual({ is: true });
    await complete(first.id, first.cookie);
    expect(await isUnsubscribed()).toEqual({ is: false });
    expect((await eventsWith(database, { entryId: first.id, resubscribed: true })).length).toBe(1);

    const second = await signUpSuspected(email);
    await unsubscribe();
    await complete(second.id, second.cookie);
    expect(await isUnsubscribed()).toEqual({ is: true });
    expect((await eventsWith(database, { entryId: second.id, resubscribed: false })).length).toBe(1);
  });

  test('is not locked by a completion that waits for the subscriber’s lock, which prevents deadlocks', async () => {
    const email = anAddress();
    await backend.request('POST', '/api/privacy-requests', { json: privacyRequest({ email }) });
    const { id, cookie } = await signUpSuspected(email);
    const holder = await database.lock('SELECT FROM subscriber WHERE email = $1 FOR UPDATE', [email]);
    const completion = complete(id, cookie);
    try {
      await database.waiting(1);
      await holder.query('SELECT FROM waitlist_entry WHERE id = $1 FOR UPDATE NOWAIT', [id]);
    } finally {
      await holder.end();
    }
    expect((await completion).status).toBe(200);
    expect(await stored(id)).toEqual({ suspected: false, completed: true });
  });

  test('is counted by `operator stats`, and flagged by `operator subscribers show`', async () => {
    const countOf = async () => {
      const { output } = await runOperator(database, ['stats', '--json']);
      const { subscribers, days } = JSON.parse(output);
      return { subscribers: subscribers.suspected, today: days.at(-1).suspected };
    };
    const show = async (email: string) => (await runOperator(database, ['subscribers', 'show', email])).output;
    const before = await countOf();
    const { id, email, cookie } = await signUpSuspected();
    expect(await countOf()).toEqual({ subscribers: before.subscribers + 1, today: before.today + 1 });
    expect(await show(email)).toContain('suspected');
    await complete(id, cookie);
    expect(await countOf()).toEqual(before);
    expect(await show(email)).not.toContain('suspected');
  });
});
