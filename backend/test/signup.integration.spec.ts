import { eventKinds } from '@daybook/contract/events';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { anEmail, emergencyNotice, information, spelling } from './support/factories.ts';
import type { TestBackend, TestResponse } from './support/test-backend.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record' });

beforeEach(() => database.clear());

const fifty = <Result>(call: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: 50 }, (_, n) => call(n)));
const subscribers = () => database.query<{ email: string }>('SELECT email FROM subscriber ORDER BY id');
const nextDay = () => database.query("UPDATE outbox_event SET created_at = created_at - interval '1 day'");
const complete = (id: number) => backend.put(id, '/complete');
/** Fills in the honeypot field. */
const suspected = { topic: 'Cheap watches' };

/** Returns what of a response must not depend on what is stored. */
const shapeOf = ({ status, headers, body, cookie }: TestResponse) => ({
  status,
  headers: [...headers.keys()],
  body: JSON.stringify(body, (key, value) => (key === 'id' || key === 'email' ? typeof value : value)),
  cookie: cookie?.replace(/=.*/, ''),
});

describe('a signup', () => {
  test('responds with 201 and a new entry at step 1, and is stored with its event', async () => {
    const { status, body } = await backend.signUp({ email: '  Grace.Hopper@Example.COM ', topic: '' });
    const email = 'Grace.Hopper@example.com';
    expect({ status, body }).toEqual({ status: 201, body: { entry: { id: expect.any(Number), email } } });
    const { id } = body.entry;
    expect(await database.query('SELECT id::float8 AS id, step FROM waitlist_entry')).toEqual([{ id, step: 1 }]);
    expect(await subscribers()).toEqual([{ email }]);
    const events = await database.eventsWith();
    const data = { entryId: id, email, suspected: false, resubscribed: false, signedUpAt: expect.any(String) };
    expect(events).toMatchObject([{ type: 'signup.created', data, attempts: 0 }]);
    expect(eventKinds['signup.created'].data.parse(events[0]?.data)).toEqual(data);
  });

  test('and its event are stored together or not at all', async () => {
    for (const table of ['outbox_event', 'waitlist_entry']) {
      await database.query(`ALTER TABLE ${table} ADD CONSTRAINT rejecting CHECK (false)`);
      expect((await backend.signUp()).status).toBe(500);
      await database.query(`ALTER TABLE ${table} DROP CONSTRAINT rejecting`);
      expect([await subscribers(), await database.eventsWith()]).toEqual([[], []]);
    }
  });

  test('reports once in its event that the email was unsubscribed, case-insensitively', async () => {
    const email = anEmail();
    const resubscribed = async (spelled = email) => {
      const { id } = await backend.anEntry({ email: spelled });
      return (await database.eventsWith({ entryId: id }))[0]?.data.resubscribed;
    };
    expect(await resubscribed()).toBe(false);
    await backend.unsubscribe(email);
    expect(await resubscribed(email.toUpperCase())).toBe(true);
    expect(await resubscribed()).toBe(false);
    await backend.unsubscribe(email);
    expect((await fifty(() => resubscribed())).filter(Boolean)).toHaveLength(1);
  });
});

test('a subscriber has three `signup.created` a day; all of 50 signups get the same response', async () => {
  const responses = await fifty((n) => backend.signUp({ email: spelling(n) }));
  expect(new Set(responses.map((response) => JSON.stringify(shapeOf(response)))).size).toBe(1);
  expect(new Set(responses.map(({ body }) => body.entry.id)).size).toBe(50);
  expect(responses[0]?.status).toBe(201);
  expect(await database.query('SELECT FROM waitlist_entry')).toHaveLength(50);
  expect((await subscribers()).map(({ email }) => email.toLowerCase())).toEqual([spelling(0)]);
  const types = async () => (await database.eventsWith()).map(({ type }) => type);
  expect(await types()).toEqual(Array(3).fill('signup.created'));
  await nextDay();
  await backend.signUp({ email: spelling(0) });
  expect(await types()).toHaveLength(4);
});

test('a completion stores one event for any number of concurrent calls and notices', async () => {
  const { id, email } = await backend.anEntry();
  const notify = (n: number) => backend.notifyComplete(id, { source: `try ${n}`, timestamp: '1999-12-31T23:59:59Z' });
  const responses = await fifty((n) => (n % 2 === 0 ? complete(id) : notify(n)));
  expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200));
  const [, event, ...others] = await database.eventsWith({ entryId: id });
  expect(others).toEqual([]);
  const data = { entryId: id, email, completedAt: event?.created_at.toISOString() };
  expect(event).toMatchObject({ type: 'signup.completed', data });
  expect(eventKinds['signup.completed'].data.parse(event?.data)).toEqual(event?.data);
});

test('an emergency notice is stored with one event per email and day, in any spelling', async () => {
  const notice = emergencyNotice();
  const responses = await fifty((n) => backend.giveNotice({ email: spelling(n), source: `try ${n}` }));
  for (const { status, body } of responses) expect([status, body]).toEqual([200, { success: true }]);
  const [row, ...more] = await database.query('SELECT * FROM emergency_notice');
  const [event, ...others] = await database.eventsWith();
  expect([more, others]).toEqual([[], []]);
  expect(row).toMatchObject({ client_timestamp: new Date(notice.timestamp), received_at: expect.any(Date) });
  expect(event).toMatchObject({ type: 'signup.emergency', data: { source: row?.source, email: row?.email } });
  expect(eventKinds['signup.emergency'].data.parse(event?.data)).toEqual(event?.data);
  await database.query("UPDATE emergency_notice SET received_at = received_at - interval '1 day'");
  await backend.giveNotice({ email: spelling(0) });
  expect(await database.query('SELECT FROM emergency_notice')).toHaveLength(2);
});

describe('a signup with the honeypot field filled in', () => {
  test('gets the responses of an ordinary one, and is marked in its entry and event', async () => {
    const journeyOf = async (signup: Awaited<ReturnType<TestBackend['signUp']>>) => {
      const { id, email } = signup.body.entry;
      return [
        signup,
        await backend.findByEmail(email, signup.cookie),
        await backend.put(id, '/step/2'),
        await complete(id),
        await backend.notifyComplete(id),
        await backend.put(id, '', information()),
        await backend.put(id, '/offers', { selectedOffers: ['vivint'] }),
        await backend.put(id, '/update-client-info'),
      ].map(shapeOf);
    };
    const signup = await backend.signUp(suspected);
    const { id, email } = signup.body.entry;
    expect(await journeyOf(signup)).toEqual(await journeyOf(await backend.signUp()));
    expect(await database.query('SELECT suspected FROM waitlist_entry WHERE id = $1', [id])).toEqual([
      { suspected: true },
    ]);
    expect(await database.eventsWith({ email })).toMatchObject([
      { type: 'signup.created', data: { entryId: id, suspected: true } },
      { type: 'signup.completed', data: { entryId: id } },
    ]);
  });

  test('is limited apart, and keeps back no signup of a person', async () => {
    const email = anEmail();
    const sent = async () => (await database.eventsWith({ email })).map(({ data }) => data.suspected);
    const five = (bot: object) => Promise.all(Array.from({ length: 5 }, () => backend.signUp({ email, ...bot })));
    await five(suspected);
    await five({});
    await five(suspected);
    expect(await sent()).toEqual([true, true, true, false, false, false]);
    await backend.unsubscribe(email);
    await five(suspected);
    const events = (await database.eventsWith({ email })).filter(({ data }) => data.resubscribed);
    expect(events).toMatchObject([{ data: { suspected: true } }]);
    await nextDay();
    await five({});
    expect((await sent()).slice(-3)).toEqual([false, false, false]);
  });
});
