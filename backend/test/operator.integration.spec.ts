import { createHmac, randomUUID } from 'node:crypto';
import { eventKinds } from '@daybook/contract/events';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { mailboxKey, mailboxOf } from '../src/database/index.ts';
import type { AuditLogEntry } from '../src/operator/audit-log.entity.ts';
import { OutboxRepository } from '../src/outbox/index.ts';
import { anEmail, information } from './support/factories.ts';
import { runOperator } from './support/operator.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record' });
beforeEach(() => database.clear());

const operator = (...parameters: string[]) => runOperator(database, parameters);
const succeeds = async (...parameters: string[]) => {
  const { exitCode, output, errors } = await operator(...parameters);
  expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
  return output;
};
const json = async (...parameters: string[]) => JSON.parse(await succeeds(...parameters));
/** Returns the rows of a view for operators. */
const report = (view: string) => database.query(`SELECT * FROM reports.${view}`);
const suspected = { topic: 'Cheap watches' };

/** Signs up, and applies SQL changes to the entry. */
async function anEntry(email = anEmail(), changes = "created_at = '2026-11-01T00:00:00Z'") {
  const { id } = await backend.anEntry({ email });
  await database.query(`UPDATE waitlist_entry SET ${changes} WHERE id = $1`, [id]);
  return { id, email };
}

test('an operator command that cannot run says what to add', async () => {
  const forgetting = await runOperator({}, ['subscribers', 'forget', 'a@b.co']);
  const unconfirmed = 'Nothing was removed. Add --yes to forget a@b.co for good.\nSee --help.\n';
  expect(forgetting).toEqual({ exitCode: 2, output: '', errors: unconfirmed });
  // As in a container, which has no name of its user.
  const nameless = await runOperator({}, ['subscribers', 'export'], { OPERATOR: '' });
  expect(nameless).toMatchObject({ exitCode: 2, errors: expect.stringMatching(/^Name yourself, for the audit log: /) });
  const unreachable = await runOperator({ url: 'postgres://127.0.0.1:1/x' }, ['subscribers', 'export']);
  const hint = expect.stringMatching(/^The database at DATABASE_URL cannot be reached: .+\n$/);
  expect(unreachable).toEqual({ exitCode: 1, output: '', errors: hint });
});

describe('the audit log', () => {
  const recorded = (since: string) =>
    database.query<AuditLogEntry>('SELECT * FROM audit_log WHERE at >= $1 ORDER BY id', [since]);

  test('records every command with its operator and without emails, also one that fails', async () => {
    const [{ email }, id] = [await anEntry(), randomUUID()];
    const since = new Date().toISOString();
    for (const command of [
      ['subscribers', 'export', '--format', 'json'],
      ['subscribers', 'show', email],
      ['subscribers', 'forget', email, '--yes'],
      ['events', 'replay', id],
      ['privacy-requests', 'done', 'K7QM-3XTA-9VD2'],
    ])
      await operator(...command, '--by', 'Ann Müller');
    const entries = await recorded(since);
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['subscribers export', { format: 'json' }],
      ['subscribers show', {}],
      ['subscribers forget', { event: true }],
      ['events replay', { ids: [id] }],
      ['privacy-requests done', { reference: 'K7QM-3XTA-9VD2' }],
    ]);
    for (const entry of entries) expect(entry.operator).toBe('Ann Müller');
    expect(JSON.stringify(entries)).not.toContain(email);
  });

  test('shows what was done about an email in any spelling, after its erasure too', async () => {
    const [ada, other] = [`Ada.${anEmail()}`, anEmail()];
    for (const email of [ada, other]) await backend.signUp({ email });
    const { reference } = (await backend.unsubscribe(ada.toLowerCase())).body;
    const eventOf = async (email: string) => (await database.eventsWith({ email }))[0]?.id ?? '';
    for (const command of [
      ['subscribers', 'show', ada.toUpperCase()],
      ['subscribers', 'show', reference],
      ['events', 'replay', await eventOf(other), await eventOf(ada)],
      ['events', 'replay', '--dead'],
      ['subscribers', 'export'],
      ['privacy-requests', 'done', reference],
      ['subscribers', 'forget', ada.toLowerCase(), '--yes'],
    ])
      await operator(...command);
    const actionsOf = async (email: string) =>
      (await json('subscribers', 'show', email, '--audit')).map(({ action }: AuditLogEntry) => action);
    const aboutAda = ['privacy-requests done', 'events replay', 'subscribers show', 'subscribers show'];
    // Its own record is the newest.
    expect(await actionsOf(ada)).toEqual(['subscribers show', 'subscribers forget', ...aboutAda]);
    expect(await actionsOf(other)).toEqual(['subscribers show', 'events replay']);
  });

  test('has a keyed hash in place of an email, the same for all spellings', async () => {
    const since = new Date().toISOString();
    for (const email of ['ada@example.com', 'ADA@Example.COM ']) await operator('subscribers', 'show', email);
    const subject = createHmac('sha256', 'k'.repeat(32)).update('ada@example.com').digest('base64url');
    expect((await recorded(since)).map(({ subjects }) => subjects)).toEqual([[subject], [subject]]);
    const email = "ADA'İIıßÉé@EXAMPLE.com";
    const [{ key }] = (await database.query(`SELECT ${mailboxOf('$1::text')} AS key`, [email])) as [{ key: string }];
    expect(mailboxKey(email)).toBe(key);
  });

  test('stops a command about one person without a key, before anything is read', async () => {
    const { email } = await anEntry();
    const before = await database.everything();
    const run = (...command: string[]) => runOperator(database, command, { AUDIT_KEY: '' });
    const errors = expect.stringMatching(/^AUDIT_KEY, for the audit log, is not set\. .+\n$/);
    expect(await run('subscribers', 'forget', email, '--yes')).toEqual({ exitCode: 1, output: '', errors });
    expect(await database.everything()).toEqual(before);
    expect(await run('subscribers', 'export')).toMatchObject({ exitCode: 0, errors: '' });
  });

  test('cannot be changed, not even by the owner of its table', async () => {
    await runOperator(database, ['subscribers', 'export'], { OPERATOR: 'Bob' });
    for (const statement of [`UPDATE audit_log SET operator = 'Eve'`, 'DELETE FROM audit_log', 'TRUNCATE audit_log'])
      await expect(database.query(statement)).rejects.toThrow('audit_log is append-only');
  });
});

describe('subscribers export', () => {
  const exported = () => json('subscribers', 'export', '--format', 'json');

  test('has one row per subscriber, which combines the entries', async () => {
    const { email } = await anEntry(
      undefined,
      `created_at = '2026-11-01T00:00:00Z', completed_at = '2026-11-01T00:05:00Z', first_name = 'Ada',
       last_name = 'Byron', zip_code = '10001', selected_offers = '{grocery,vivint}'`,
    );
    await anEntry(email, `created_at = '2026-11-02T00:00:00Z', last_name = 'Lovelace', selected_offers = '{}'`);
    await anEntry(email, "created_at = '2026-11-03T00:00:00Z'");
    const times = {
      signed_up_at: '2026-11-01T00:00:00.000Z',
      last_signed_up_at: '2026-11-03T00:00:00.000Z',
      completed_at: '2026-11-01T00:05:00.000Z',
      unsubscribed_at: null,
    };
    const names = { first_name: 'Ada', last_name: 'Lovelace', zip_code: '10001' };
    expect(await exported()).toEqual([
      { email, status: 'completed', ...times, signups: 3, ...names, selected_offers: [] },
    ]);
  });

  test('has a status, as reports count it', async () => {
    const unfinished = await anEntry();
    const [completed, noticed, gone] = [await anEntry(), await anEntry(), await anEntry()];
    await backend.notifyComplete(noticed.id);
    for (const { id } of [completed, gone]) await backend.put(id, '/complete');
    await backend.unsubscribe(gone.email);
    const bot = await backend.anEntry(suspected);
    await backend.signUp({ email: unfinished.email, ...suspected });
    const statuses = (await exported()).map(({ email, status }: Record<string, string>) => [email, status]);
    expect(Object.fromEntries(statuses)).toEqual({
      [unfinished.email]: 'unfinished',
      ...{ [completed.email]: 'completed', [noticed.email]: 'completed' },
      ...{ [gone.email]: 'unsubscribed', [bot.email]: 'suspected' },
    });
    const counts = Object.fromEntries(
      (await report('subscribers')).map(({ status, subscribers }) => [status, subscribers]),
    );
    expect(counts).toEqual({ unfinished: 1, completed: 2, unsubscribed: 1, suspected: 1 });
    expect(await report('signups')).toMatchObject([
      { signups: 2, completed: 0, unfinished: 0, suspected: 2 },
      { signups: 4, completed: 3, unfinished: 1, suspected: 0 },
    ]);
  });
});

test('show prints all data of an email', async () => {
  const { id } = await anEntry('ada@example.com');
  await backend.put(id, '', information());
  await backend.put(id, '/update-client-info', undefined, { 'user-agent': 'Browser/1' });
  await backend.giveNotice({ email: 'ada@example.com', source: 'x\u001b[31m' });
  const { reference } = (await backend.unsubscribe('ADA@example.com')).body;
  const again = await anEntry('Ada@example.com', 'created_at = now()');
  await anEntry();
  const output = await succeeds('subscribers', 'show', 'ada@example.com');
  expect(output).toContain('"source": "x\\u001b[31m"');
  const record = JSON.parse(output);
  expect(record).toMatchObject({
    email: 'ada@example.com',
    subscriber: { email: 'ada@example.com' },
    entries: [{ id, firstName: 'Ada', userAgent: 'Browser/1' }, { id: again.id }],
    emergencyNotices: [{ source: 'x\u001b[31m' }],
    privacyRequests: [{ reference }],
  });
  expect(await json('subscribers', 'show', reference.toLowerCase())).toEqual(record);
  const types = record.events.map(({ type }: { type: string }) => type);
  expect(types).toEqual(['signup.created', 'signup.emergency', 'privacy_request.received', 'signup.created']);
  expect(await json('subscribers', 'show', 'nobody@example.com')).toMatchObject({ subscriber: null, events: [] });
});

describe('subscribers forget', () => {
  const forget = (email: string, ...options: string[]) => operator('subscribers', 'forget', email, '--yes', ...options);
  const everything = async () => JSON.stringify(await database.everything()).toLowerCase();

  /** Creates a subscriber with every kind of data that is erased. */
  async function aKnownSubscriber() {
    const { id, email } = await anEntry();
    await anEntry(email.toUpperCase());
    await backend.put(id, '/complete');
    await backend.giveNotice({ email });
    const [event] = await database.eventsWith({ email });
    await database.query("UPDATE outbox_event SET status = 'delivered' WHERE id = $1", [event?.id]);
    return email;
  }

  test('removes all data of an email; the event for the mail system loses it on delivery', async () => {
    const [email, other] = [await aKnownSubscriber(), await aKnownSubscriber()];
    const { exitCode, output, errors } = await forget(email);
    const [event] = await database.eventsWith({ email });
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    expect(JSON.parse(output)).toEqual({
      email,
      removed: { subscribers: 1, entries: 2, emergencyNotices: 1, events: 4 },
      retained: { privacyRequests: 0 },
      event: event?.id,
    });
    expect(event).toMatchObject({ type: 'subscriber.forgotten', status: 'pending' });
    expect(eventKinds['subscriber.forgotten'].data.parse(event?.data)).toEqual(event?.data);
    expect(event && event.next_attempt_at.getTime() - event.created_at.getTime()).toBe(30_000);
    const outbox = backend.app.get(OutboxRepository);
    await database.query('UPDATE outbox_event SET next_attempt_at = now() WHERE id = $1', [event?.id]);
    for (const claimed of await outbox.claim()) await outbox.record(claimed, { status: 'delivered' });
    const rest = await everything();
    expect([rest.includes(email), rest.includes(other)]).toEqual([false, true]);
  });

  test('forgets an email with only an emergency notice, and retains privacy requests', async () => {
    const email = anEmail();
    await backend.giveNotice({ email });
    const { removed } = JSON.parse((await forget(email)).output);
    expect(removed).toEqual({ subscribers: 0, entries: 0, emergencyNotices: 1, events: 1 });
    await backend.unsubscribe(email);
    expect(JSON.parse((await forget(email)).output).retained).toEqual({ privacyRequests: 1 });
    expect(await database.query('SELECT email FROM privacy_request')).toEqual([{ email }]);
  });

  test('blocks a concurrent signup, so that its event is not lost', async () => {
    const email = anEmail();
    await backend.giveNotice({ email });
    const holder = await database.lock('SELECT FROM emergency_notice WHERE email = $1 FOR UPDATE', [email]);
    const forgetting = forget(email);
    await database.waiting(1);
    const signup = backend.anEntry({ email });
    await database.waiting(2);
    await holder.end();
    expect((await forgetting).exitCode).toBe(0);
    const { id } = await signup;
    expect(await database.query('SELECT id::float8 FROM waitlist_entry')).toEqual([{ id }]);
    expect(await database.eventsWith({ email, entryId: id })).toHaveLength(1);
  });
});

test('events replay makes dead events due again, and names the others, which it does not change', async () => {
  const anEvent = async (status: 'pending' | 'delivered' | 'dead') => {
    const { email } = await backend.anEntry();
    const [event] = await database.query<{ id: string }>(
      `UPDATE outbox_event SET status = $2, ended_at = CASE WHEN $2 <> 'pending' THEN now() END
       WHERE data->>'email' = $1 RETURNING id`,
      [email, status],
    );
    return event?.id ?? '';
  };
  const statusesOf = async (...ids: string[]) => {
    const events = await database.eventsWith();
    return ids.map((id) => events.find((event) => event.id === id)?.status);
  };
  const [first, second, other] = [await anEvent('dead'), await anEvent('dead'), await anEvent('dead')];
  const { replayed } = await json('events', 'replay', first, second.toUpperCase());
  expect(replayed.sort()).toEqual([first, second].sort());
  expect(await statusesOf(first, second, other)).toEqual(['pending', 'pending', 'dead']);
  const [delivered, unknown] = [await anEvent('delivered'), randomUUID()];
  expect(await operator('events', 'replay', first, delivered, unknown)).toMatchObject({
    exitCode: 1,
    errors: `No dead event has the id ${first} or ${delivered} or ${unknown}.\n`,
  });
  expect(await json('events', 'replay', '--dead')).toEqual({ replayed: [other] });
  expect(await statusesOf(other, first, delivered)).toEqual(['pending', 'pending', 'delivered']);
});

test('privacy-requests done marks an open request as done, once, and names an unknown one', async () => {
  const { reference } = (await backend.makePrivacyRequest()).body;
  const first = await json('privacy-requests', 'done', reference);
  expect(await json('privacy-requests', 'done', reference.toLowerCase())).toEqual(first);
  expect(Date.parse(first.doneAt)).toBeGreaterThan(0);
  const errors = 'There is no privacy request K7QM-3XTA-9VD2.\n';
  for (const command of [
    ['privacy-requests', 'done'],
    ['subscribers', 'show'],
  ])
    expect(await operator(...command, 'K7QM-3XTA-9VD2')).toEqual({ exitCode: 1, output: '', errors });
});
