import { eventKinds } from '@daybook/contract/events';
import { describe, expect, test } from '@jest/globals';
import {
  anAddress,
  anEntryId,
  completionNotice,
  emergencyNotice,
  privacyRequest,
  signUp,
} from './support/factories.ts';
import { eventsWith } from './support/outbox.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record' });

const fifty = <Result>(call: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: 50 }, (_, n) => call(n)));

describe('a signup', () => {
  test('is stored with its event', async () => {
    const email = anAddress();
    const { entry } = (await signUp(backend, { email })).body;
    const [event, ...others] = await eventsWith(database, { email });
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: 'signup.created', data: { entryId: entry.id, email }, attempts: 0 });
    expect(eventKinds['signup.created'].data.safeParse(event?.data).success).toBe(true);
    expect(Date.parse(String(event?.data.signedUpAt))).toBeCloseTo(Number(event?.created_at), -1);
  });

  test('stores one event per entry for 50 concurrent signups', async () => {
    const responses = await fifty(() => signUp(backend));
    for (const { body } of responses) expect(await eventsWith(database, { entryId: body.entry.id })).toHaveLength(1);
  });

  test('reports once in its event that the address was unsubscribed, case-insensitively', async () => {
    const email = anAddress();
    const resubscribed = async (address = email) => {
      const { id } = (await signUp(backend, { email: address })).body.entry;
      return (await eventsWith(database, { entryId: id }))[0]?.data.resubscribed;
    };
    const unsubscribe = () => backend.request('POST', '/api/privacy-requests', { json: privacyRequest({ email }) });
    expect(await resubscribed()).toBe(false);
    await unsubscribe();
    expect(await resubscribed()).toBe(true);
    expect(await resubscribed()).toBe(false);
    await unsubscribe();
    expect(await resubscribed(email.replace('reader', 'Reader'))).toBe(true);
    await unsubscribe();
    expect((await fifty(() => resubscribed())).filter(Boolean)).toHaveLength(1);
  });

  test('and its event are stored together or not at all', async () => {
    const [withoutEvent, withoutEntry] = [anAddress(), anAddress()];
    await database.query(
      `ALTER TABLE outbox_event ADD CONSTRAINT rejecting CHECK (data->>'email' <> '${withoutEvent}')`,
    );
    expect((await signUp(backend, { email: withoutEvent })).status).toBe(500);
    expect(await database.query('SELECT FROM subscriber WHERE email = $1', [withoutEvent])).toEqual([]);

    await database.query('ALTER TABLE waitlist_entry ADD CONSTRAINT rejecting CHECK (false) NOT VALID');
    expect((await signUp(backend, { email: withoutEntry })).status).toBe(500);
    expect(await eventsWith(database, { email: withoutEntry })).toEqual([]);
    await database.query('ALTER TABLE waitlist_entry DROP CONSTRAINT rejecting');
  });
});

describe('a completion', () => {
  const completed = async (entryId: number) =>
    (await eventsWith(database, { entryId })).filter(({ type }) => type === 'signup.completed');
  const complete = (id: number) => backend.request('PUT', `/api/waitlist/${id}/complete`);
  const notify = (id: number, overrides = {}) =>
    backend.request('POST', `/api/waitlist/${id}/notify-complete`, { json: completionNotice(overrides) });

  test('stores one event for any number of concurrent completion calls and notices', async () => {
    const id = await anEntryId(backend);
    const responses = await fifty((n) => (n % 2 === 0 ? complete(id) : notify(id, { source: `try ${n}` })));
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(await completed(id)).toHaveLength(1);
  });

  test('has an event with address, entry and the server’s time, not the client’s', async () => {
    const email = anAddress();
    const { id } = (await signUp(backend, { email })).body.entry;
    await notify(id, { timestamp: '1999-12-31T23:59:59.000Z' });
    await complete(id);
    const [event] = await completed(id);
    expect(event?.data).toEqual({ entryId: id, email, completedAt: expect.any(String) });
    expect(Date.parse(String(event?.data.completedAt))).toBeCloseTo(Number(event?.created_at), -1);
    expect(eventKinds['signup.completed'].data.safeParse(event?.data).success).toBe(true);
    expect(await database.query('SELECT notice_timestamp FROM waitlist_entry WHERE id = $1', [id])).toEqual([
      { notice_timestamp: new Date('1999-12-31T23:59:59.000Z') },
    ]);
  });

  test('of an unknown entry stores no event', async () => {
    expect((await complete(1)).status).toBe(404);
    expect((await notify(1)).status).toBe(404);
    expect(await completed(1)).toEqual([]);
  });
});

describe('an emergency notice', () => {
  test('stores one event per address and day for 50 concurrent notices', async () => {
    const notice = emergencyNotice();
    const responses = await fifty((n) =>
      backend.request('POST', '/api/emergency-webhook', { json: { ...notice, source: `try ${n}` } }),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200));
    const [event, ...others] = await eventsWith(database, { email: notice.email });
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: 'signup.emergency', data: { source: expect.stringMatching(/^try \d+$/) } });
    expect(eventKinds['signup.emergency'].data.safeParse(event?.data).success).toBe(true);
    expect(await database.query('SELECT FROM emergency_notice WHERE email = $1', [notice.email])).toHaveLength(1);
  });
});
