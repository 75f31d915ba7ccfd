import { eventKinds } from '@daybook/contract/events';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { anAddress, emergencyNotice, information, signUp } from './support/factories.ts';
import { runOperator } from './support/operator.ts';
import { eventsWith } from './support/outbox.ts';
import { startReceiver, type TestReceiver } from './support/test-receiver.ts';
import { until } from './support/until.ts';
import { useBackend } from './support/use-backend.ts';

const ours = ['subscriber', 'waitlist_entry', 'emergency_notice', 'outbox_event', 'forgotten_count'];

const { database, backend, restart } = useBackend();

beforeEach(async () => {
  // DELETE instead of TRUNCATE, which locks whole tables and can deadlock with the backend's background work.
  await database.query(
    ours
      .toReversed()
      .map((table) => `DELETE FROM ${table}`)
      .join('; '),
  );
});

const forget = (...parameters: string[]) => runOperator(database, ['subscribers', 'forget', ...parameters]);

/** Returns all stored data of subscribers as text. */
async function storedRows(): Promise<string> {
  return JSON.stringify(await Promise.all(ours.map((table) => database.query(`SELECT * FROM ${table} ORDER BY 1`))));
}

/** Returns all rows of the database as text. */
async function everything(): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const rows = await Promise.all(tables.map(({ name }) => database.query(`SELECT * FROM ${name}`)));
  return JSON.stringify(rows);
}

/** Creates a subscriber with every kind of stored data. */
async function aKnownSubscriber() {
  const email = anAddress();
  for (const lastName of ['Lovelace', 'Byron']) {
    const { id } = (await signUp(backend, { email })).body.entry;
    await backend.request('PUT', `/api/waitlist/${id}`, { json: information({ lastName }) });
    await backend.request('PUT', `/api/waitlist/${id}/update-client-info`, { headers: { 'user-agent': 'Browser/1' } });
    if (lastName === 'Byron') await backend.request('PUT', `/api/waitlist/${id}/complete`);
  }
  await backend.request('POST', '/api/emergency-webhook', { json: emergencyNotice({ email }) });
  const [event] = await eventsWith(database, { email });
  await database.query("UPDATE outbox_event SET status = 'delivered' WHERE id = $1", [event?.id]);
  return email;
}

describe('subscribers forget', () => {
  test('names a time after every signup that it erased', async () => {
    const { email } = (await signUp(backend)).body.entry;
    const holder = await database.lock('SELECT FROM subscriber WHERE email = $1 FOR UPDATE', [email]);
    const forgotten = forget(email, '--yes');
    await database.waiting(1);
    // Of a signup in progress.
    const [{ at }] = (await holder.query('SELECT clock_timestamp() AS at')).rows;
    await holder.query('COMMIT');
    await holder.end();
    expect((await forgotten).exitCode).toBe(0);
    const [event] = await eventsWith(database, { email });
    expect(Date.parse(String(event?.data.forgottenAt))).toBeGreaterThanOrEqual(at.getTime());
  });

  test('removes all data of an address except a count and the event for the mail system', async () => {
    const email = await aKnownSubscriber();
    const other = await aKnownSubscriber();
    expect(await everything()).toContain(email);
    const { exitCode, output, errors } = await forget(email, '--yes');
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    const [event] = await eventsWith(database, { email });
    expect(output).toBe(
      [
        `${email} is forgotten. Removed:`,
        '  1 subscriber, 2 registrations with client details',
        '  1 emergency notice, 4 events',
        `The mail system is notified by event ${event?.id}, subscriber.forgotten, in 30 seconds at the earliest.`,
        '',
      ].join('\n'),
    );
    expect(event).toMatchObject({ type: 'subscriber.forgotten', status: 'pending' });
    expect(eventKinds['subscriber.forgotten'].data.safeParse(event?.data).success).toBe(true);
    expect(event && event.next_attempt_at.getTime() - event.created_at.getTime()).toBe(30_000);
    await database.query('DELETE FROM outbox_event WHERE id = $1', [event?.id]);
    expect(await everything()).not.toContain(email);
    expect(
      await database.query("SELECT status, count, month = date_trunc('month', now()) AS now FROM forgotten_count"),
    ).toEqual([{ status: 'completed', count: 1, now: true }]);
    expect(await eventsWith(database, { email: other })).toHaveLength(4);
  });

  test('is idempotent: reports that there is nothing (left) to forget, and counts once', async () => {
    const email = await aKnownSubscriber();
    expect(await forget('nobody@example.com', '--yes')).toEqual({
      exitCode: 0,
      output: 'There is nothing to forget of nobody@example.com.\nThe mail system is not notified.\n',
      errors: '',
    });
    await forget(email, '--yes');
    const { exitCode, output } = await forget(email, '--yes');
    expect(exitCode).toBe(0);
    // The second call replaced the event.
    const [event, ...others] = await eventsWith(database, { email });
    expect(output).toBe(
      `There is nothing to forget of ${email}.\nThe mail system is notified by event ${event?.id}, subscriber.forgotten, in 30 seconds at the earliest.\n`,
    );
    expect(others).toEqual([]);
    expect(await database.query('SELECT count FROM forgotten_count')).toEqual([{ count: 1 }]);
    expect(await database.query('SELECT FROM subscriber')).toEqual([]);
  });

  test('forgets an address with only an emergency notice', async () => {
    const email = anAddress();
    await backend.request('POST', '/api/emergency-webhook', { json: emergencyNotice({ email }) });
    const { output } = await forget(email, '--yes', '--json');
    expect(JSON.parse(output)).toMatchObject({
      found: true,
      subscriber: false,
      entries: 0,
      emergencyNotices: 1,
      events: 1,
    });
    expect(await database.query('SELECT status, count FROM forgotten_count')).toEqual([
      { status: 'never signed up', count: 1 },
    ]);
  });

  test('blocks a concurrent signup, also of an unknown address, so that its event is not lost', async () => {
    const email = anAddress();
    await backend.request('POST', '/api/emergency-webhook', { json: emergencyNotice({ email }) });
    const holder = await database.lock('SELECT FROM emergency_notice WHERE email = $1 FOR UPDATE', [email]);
    const forgetting = forget(email, '--yes', '--json');
    let signup: ReturnType<typeof signUp> | undefined;
    try {
      await database.waiting(1);
      signup = signUp(backend, { email });
      await database.waiting(2);
    } finally {
      await holder.end();
    }
    expect((await forgetting).exitCode).toBe(0);
    await signup;
    const entries = await database.query<{ id: string }>('SELECT id FROM waitlist_entry');
    const created = (await eventsWith(database, { email })).filter(({ type }) => type === 'signup.created');
    expect(created.map(({ data }) => data.entryId)).toEqual(entries.map(({ id }) => Number(id)));
    expect(entries).toHaveLength(1);
  });

  test('retains privacy requests, and reports it', async () => {
    const email = await aKnownSubscriber();
    await database.query(
      `INSERT INTO privacy_request (reference, kind, email, fields, page_version, global_privacy_control,
         received_at, due_at) VALUES ('K7QM-3XTA-9VD2', 'unsubscribe', $1, '{}', 'mf-privacy@1', false,
         now(), now() + interval '48 hours')`,
      [email],
    );
    const line = 'Retained, as the Privacy Policy says: 1 privacy request.\n';
    expect((await forget(email, '--yes')).output).toContain(line);
    expect((await forget(email, '--yes')).output).toContain(line);
    expect(await database.query('SELECT email FROM privacy_request')).toEqual([{ email }]);
    await database.query('TRUNCATE privacy_request');
  });

  test('stores no event with --no-event, and drops pending ones', async () => {
    const email = await aKnownSubscriber();
    await forget(email, '--yes');
    const { output } = await forget(email, '--yes', '--no-event');
    expect(output).toContain('The mail system is not notified.');
    expect(await everything()).not.toContain(email);
    expect(await database.query('SELECT count FROM forgotten_count')).toEqual([{ count: 1 }]);
  });

  test('does nothing without a terminal for the confirmation', async () => {
    const email = await aKnownSubscriber();
    const before = await storedRows();
    expect(await forget(email)).toEqual({
      exitCode: 2,
      output: '',
      errors: 'A confirmation needs a terminal. Use --yes to skip it.\nSee: operator subscribers forget --help\n',
    });
    expect(await storedRows()).toBe(before);
  });

  test('forgets or retains each signup as a whole while the same address keeps signing up', async () => {
    const email = anAddress();
    let isForgotten = false;
    const signups: Promise<unknown>[] = [];
    const flood = (async () => {
      while (!isForgotten) {
        signups.push(signUp(backend, { email }));
        if (signups.length % 10 === 0) await Promise.all(signups);
      }
      await Promise.all(signups);
    })();
    await until('there is a signup', async () => signups.length > 10);
    const results = await Promise.all(Array.from({ length: 4 }, () => forget(email, '--yes', '--json')));
    isForgotten = true;
    await flood;
    expect(results.map(({ exitCode, errors }) => ({ exitCode, errors }))).toEqual(
      Array(4).fill({ exitCode: 0, errors: '' }),
    );
    const forgotten = results.reduce((sum, { output }) => sum + (JSON.parse(output).entries ?? 0), 0);
    const entries = await database.query<{ id: number }>('SELECT id FROM waitlist_entry');
    expect(forgotten + entries.length).toBe(signups.length);
    const events = await eventsWith(database, { email });
    const created = events.filter(({ type }) => type === 'signup.created').map(({ data }) => Number(data.entryId));
    // Only the first signups of a day are sent; each event belongs to a stored entry.
    expect(created).toHaveLength(Math.min(entries.length, 3));
    expect(entries.map(({ id }) => Number(id))).toEqual(expect.arrayContaining(created));
    expect(events.filter(({ type }) => type === 'subscriber.forgotten')).toHaveLength(1);
  });
});

describe('the deletion event', () => {
  let receiver: TestReceiver;
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  beforeAll(async () => {
    receiver = await startReceiver();
    await restart({ WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: [secret] });
  });
  afterAll(async () => {
    await receiver?.stop();
  });

  test('is retried until the mail system accepts it, and then loses its address', async () => {
    jest.spyOn(console, 'info').mockReturnValue();
    backend.app.useLogger(false);
    const email = anAddress();
    await signUp(backend, { email });
    await until('the signup is delivered', async () => receiver.deliveries.some(({ body }) => body.includes(email)));
    const { event } = JSON.parse((await forget(email, '--yes', '--json')).output);
    receiver.respondWith((_, nth) => ({ status: nth === 1 ? 503 : 204 }));
    const soon = () => database.query('UPDATE outbox_event SET next_attempt_at = now() WHERE id = $1', [event]);
    await soon();
    const row = async () =>
      (
        await database.query<{ data: object; attempts: number; status: string }>(
          'SELECT * FROM outbox_event WHERE id = $1',
          [event],
        )
      )[0];
    await until('an attempt has failed', async () => (await row())?.attempts === 1);
    expect((await row())?.data).toMatchObject({ email });
    await soon();
    await until('the event is delivered', async () => (await row())?.status === 'delivered');
    expect(JSON.parse(receiver.of(event)[1]?.body ?? '')).toMatchObject({
      type: 'subscriber.forgotten',
      data: { email, forgottenAt: expect.stringMatching(/^20.+Z$/) },
    });
    expect(Object.keys((await row())?.data ?? {})).toEqual(['forgottenAt']);
    expect(await everything()).not.toContain(email);
  });
});
