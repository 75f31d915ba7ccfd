import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventKinds } from '@daybook/contract/events';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mailboxKey, mailboxOf } from '../src/database/index.ts';
import type { AuditLogEntry } from '../src/operator/audit-log.entity.ts';
import { OutboxRepository } from '../src/outbox/index.ts';
import { anAddress, information } from './support/factories.ts';
import { runOperator, startOperator } from './support/operator.ts';
import { TestDatabase } from './support/test-database.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record' });
const folder = mkdtempSync(join(tmpdir(), 'daybook-operator-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => database.clear());

const operator = (...parameters: string[]) => runOperator(database, parameters);
const succeeds = async (...parameters: string[]) => {
  const { exitCode, output, errors } = await operator(...parameters);
  expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
  return output;
};
const json = async (...parameters: string[]) => JSON.parse(await succeeds(...parameters, '--json'));
const suspected = { topic: 'Cheap watches' };

/** Signs up, and applies SQL changes to the entry. */
async function anEntry(email = anAddress(), changes = "created_at = '2026-11-01T00:00:00Z'") {
  const { id } = await backend.anEntry({ email });
  await database.query(`UPDATE waitlist_entry SET ${changes} WHERE id = $1`, [id]);
  return { id, email };
}

describe('the operator command', () => {
  test('lists every command without a database', async () => {
    const { exitCode, output, errors } = await runOperator({}, ['help']);
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    for (const command of ['stats', 'subscribers', 'events', 'privacy-requests', 'audit-log'])
      expect(output).toContain(`  ${command}`);
  });

  const nameRule = 'It must be a name of 1 to 60 characters, without control characters.';
  const badName = `OPERATOR, for the audit log: ${nameRule} Set it, or use --by <name>.`;
  test.each<[command: string, parameters: readonly string[], message: string, variables?: Record<string, string>]>([
    ['subscribers', ['delete'], "Unknown command 'delete'"],
    [
      'subscribers show',
      ['ada'],
      "Command-argument value 'ada' is invalid for argument 'address'. It is not an e-mail address.",
    ],
    ['events replay', ['--dead', randomUUID()], 'Use either ids or --dead.'],
    ['subscribers forget', ['ada@example.com'], 'A confirmation needs a terminal. Use --yes to skip it.'],
    // As in a container, which has no name of its user.
    ['subscribers export', [], 'Name yourself, for the audit log: --by <name>', { OPERATOR: '' }],
    ['subscribers export', [], badName, { OPERATOR: 'x'.repeat(61) }],
    ['subscribers export', [], badName, { OPERATOR: ' ' }],
    ['subscribers export', [], badName, { OPERATOR: 'Ann\u0007' }],
    ['subscribers export', ['--by', 'A\nB'], `Option '--by <name>' argument 'A\nB' is invalid. ${nameRule}`],
  ])(
    '%s %j exits with code 2 before it connects to a database: %j',
    async (command, parameters, message, variables = {}) => {
      const errors = `${message}\nSee: operator ${command} --help\n`;
      const result = await runOperator({}, [...command.split(' '), ...parameters], variables);
      expect(result).toEqual({ exitCode: 2, output: '', errors });
    },
  );

  test('exits with code 1 and a hint without a database, or if its role lacks connections or a privilege', async () => {
    const role = await database.createBackendRole();
    const expectHint = async (url: string, hint: RegExp, command = ['stats']) => {
      const { exitCode, output, errors } = await runOperator({ url }, command);
      expect({ exitCode, output, errors }).toEqual({ exitCode: 1, output: '', errors: expect.stringMatching(hint) });
    };
    await expectHint('', /^No database is configured\. Set DATABASE_URL or DATABASE_URL_FILE; .+\n$/);
    await expectHint('mysql://x', /DATABASE_URL: must be an address such as .+\n$/);
    await expectHint('postgres://127.0.0.1:1/x', /^The database at DATABASE_URL cannot be reached: .+\n$/);
    const wrong = Object.assign(new URL(database.url), { password: 'wrong' }).href;
    await expectHint(wrong, /^The database at DATABASE_URL rejects the login: .+\n$/);
    await database.query(`ALTER ROLE ${role.name} CONNECTION LIMIT 0`);
    await expectHint(role.url, /^The database at DATABASE_URL has too many connections: too many connections .+\n$/);
    await database.query(`ALTER ROLE ${role.name} CONNECTION LIMIT -1; REVOKE INSERT ON audit_log FROM ${role.name}`);
    const unprivileged =
      /^The database at DATABASE_URL gives this role too few privileges: permission denied for table audit_log\. .+\n$/;
    await expectHint(role.url, unprivileged, ['subscribers', 'export', '--by', 'Ann']);
    await role.drop();
  });

  test('as a process reads DATABASE_URL_FILE, the form of secrets in containers, and reports pending migrations', async () => {
    const empty = await new TestDatabase().create({ migrated: false });
    const file = join(folder, 'database-url');
    writeFileSync(file, `${empty.url}\n`);
    const { exitCode, errors } = await startOperator(['stats'], { DATABASE_URL_FILE: file }).ended;
    await empty.drop();
    expect(exitCode).toBe(1);
    expect(errors).toMatch(/^The database at DATABASE_URL has another schema version: .+ Run the migrations: .+\n$/);
  });
});

describe('the audit log', () => {
  test('records commands that read or change personal data, with their operator and without addresses', async () => {
    const [{ email }, id] = [await anEntry(), randomUUID()];
    const since = new Date().toISOString();
    for (const command of [
      ['subscribers', 'export', '--status', 'unfinished'],
      ['subscribers', 'show', email],
      ['subscribers', 'forget', email, '--yes'],
      ['events', 'replay', id],
      ['privacy-requests', 'list', '--due', '7', '--json'],
      ['privacy-requests', 'done', 'K7QM-3XTA-9VD2'],
    ])
      await operator(...command, '--by', 'Ann Müller');
    // Read no addresses.
    for (const command of [['stats'], ['events', 'list']]) await operator(...command);
    const recorded: readonly Record<string, unknown>[] = await json('audit-log', '--since', since);
    expect(recorded.map(({ action, details }) => [action, details])).toEqual([
      // Failed: there are no such event and request.
      ['privacy-requests done', { reference: 'K7QM-3XTA-9VD2' }],
      ['privacy-requests list', { due: 7, limit: 50 }],
      ['events replay', { ids: [id] }],
      ['subscribers forget', { event: true }],
      ['subscribers show', {}],
      ['subscribers export', { format: 'csv', status: 'unfinished' }],
    ]);
    for (const entry of recorded) expect(entry.operator).toBe('Ann Müller');
    expect(JSON.stringify(recorded)).not.toContain(email);
    expect(await succeeds('audit-log', '--limit', '1')).toMatch(
      /^WHEN +OPERATOR +COMMAND +SUBJECT +DETAILS\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Ann Müller {2}privacy-requests done {2}– +reference: K7QM-3XTA-9VD2\nThe newest 1 of [\d,]+ entries; more with --limit.\n$/,
    );
  });

  const actionsOf = async (email: string, ...options: string[]) =>
    (await json('audit-log', '--email', email, '--by', 'Ann', ...options)).map(({ action }: AuditLogEntry) => action);

  test('finds what was done about an address in any spelling, after its erasure too, and records that somebody searched', async () => {
    const [ada, other] = [`Ada.${anAddress()}`, anAddress()];
    for (const email of [ada, other]) await backend.signUp({ email });
    const [{ reference }, [adas, others]] = [
      (await backend.unsubscribe(ada.toLowerCase())).body,
      await Promise.all([database.eventsWith({ email: ada }), database.eventsWith({ email: other })]),
    ];
    const [adasEvent = '', othersEvent = ''] = [adas[0]?.id, others[0]?.id];
    for (const command of [
      ['subscribers', 'show', ada.toUpperCase()],
      ['events', 'replay', adasEvent],
      ['events', 'replay', othersEvent, adasEvent],
      ['events', 'replay', '--dead'],
      ['subscribers', 'export'],
      ['privacy-requests', 'list'],
      ['privacy-requests', 'done', reference],
      ['subscribers', 'forget', `${ada.toLowerCase()}.`, '--yes'],
      ['subscribers', 'show', other],
    ])
      await operator(...command, '--by', 'Ann');
    const aboutAda = [
      'audit-log',
      'subscribers forget',
      'privacy-requests done',
      'events replay',
      'events replay',
      'subscribers show',
    ];
    expect(await actionsOf(ada)).toEqual(aboutAda);
    expect(await actionsOf(other)).toEqual(['audit-log', 'subscribers show', 'events replay']);
    // Its own record is the newest.
    expect(await actionsOf(ada, '--limit', '2')).toEqual(['audit-log', 'audit-log']);
    const nobody = await operator('audit-log', '--email', 'nobody@example.com', '--by', '');
    expect(nobody).toMatchObject({ exitCode: 2, errors: expect.stringContaining('It must be a name') });
  });

  test('has a keyed hash in place of an address, which is the same as what the database compares', async () => {
    const subjects = async (email: string, variables: Record<string, string> = {}) => {
      await runOperator(database, ['subscribers', 'show', email, '--by', 'Ann'], variables);
      return (await json('audit-log', '--limit', '1'))[0].subjects;
    };
    const [subject] = await subjects('ada@example.com');
    expect(subject).toBe(createHmac('sha256', 'k'.repeat(32)).update('ada@example.com').digest('base64url'));
    expect(await subjects('ADA@Example.COM.')).toEqual([subject]);
    expect(await subjects('ada@example.com', { AUDIT_KEY: 'n'.repeat(32) })).not.toContain(subject);
    expect(await subjects('bob@example.com')).not.toContain(subject);
    expect(await succeeds('audit-log', '--limit', '1')).toMatch(/ subscribers show {2}[\w-]{12} {2}/);
    const address = "ADA'İIıßÉé@EXAMPLE.com";
    const [{ key }] = (await database.query(`SELECT ${mailboxOf('$1::text')} AS key`, [address])) as [{ key: string }];
    expect(mailboxKey(address)).toBe(key);
  });

  test('stops a command about one person without a key, before anything is read; no other needs one', async () => {
    const { email } = await anEntry();
    const { reference } = (await backend.unsubscribe(email)).body;
    const [event] = await database.eventsWith({ email });
    const before = await database.everything();
    const errors =
      'AUDIT_KEY, for the audit log, is not set. Set it, or AUDIT_KEY_FILE, to the key of the site whose database this is.\n';
    for (const command of [
      ['subscribers', 'show', email],
      ['subscribers', 'forget', email, '--yes'],
      ['events', 'replay', event?.id ?? ''],
      ['privacy-requests', 'done', reference],
      ['audit-log', '--email', email],
    ])
      expect(await runOperator(database, [...command, '--by', 'Ann'], { AUDIT_KEY: '' })).toEqual({
        exitCode: 1,
        output: '',
        errors,
      });
    expect(await database.everything()).toEqual(before);
    for (const command of [['stats'], ['audit-log'], ['subscribers', 'export', '--by', 'Ann']])
      expect(await runOperator(database, command, { AUDIT_KEY: '' })).toMatchObject({ exitCode: 0, errors: '' });
  });

  test('cannot be changed, not even by the owner of its table', async () => {
    await runOperator(database, ['subscribers', 'export'], { OPERATOR: 'Bob' });
    expect((await json('audit-log'))[0]).toMatchObject({ operator: 'Bob', action: 'subscribers export' });
    for (const statement of [`UPDATE audit_log SET operator = 'Eve'`, 'DELETE FROM audit_log', 'TRUNCATE audit_log'])
      await expect(database.query(statement)).rejects.toThrow('audit_log is append-only');
  });
});

describe('subscribers export', () => {
  const exported = async (...parameters: string[]) =>
    JSON.parse(await succeeds('subscribers', 'export', '--format', 'json', ...parameters));
  const addresses = async (...parameters: string[]) =>
    (await exported(...parameters)).map(({ email }: { email: string }) => email);

  test('has one row per subscriber, which combines the entries', async () => {
    const { email } = await anEntry(
      undefined,
      `created_at = '2026-11-01T00:00:00Z', completed_at = '2026-11-01T00:05:00Z', first_name = 'Ada',
       last_name = 'Byron', zip_code = '10001', selected_offers = '{grocery,vivint}'`,
    );
    await anEntry(email, `created_at = '2026-11-02T00:00:00Z', last_name = 'Lovelace', selected_offers = '{}'`);
    await anEntry(email, "created_at = '2026-11-03T00:00:00Z'");
    expect(await exported()).toEqual([
      {
        email,
        status: 'completed',
        signed_up_at: '2026-11-01T00:00:00.000Z',
        last_signed_up_at: '2026-11-03T00:00:00.000Z',
        completed_at: '2026-11-01T00:05:00.000Z',
        unsubscribed_at: null,
        signups: 3,
        first_name: 'Ada',
        last_name: 'Lovelace',
        zip_code: '10001',
        selected_offers: [],
      },
    ]);
  });

  test('is CSV with escaped formulas by default, and writes a new file with --output', async () => {
    const { id, email } = await anEntry('+ada@example.com');
    await backend.put(id, '', information({ firstName: '=HYPERLINK("http://evil.example","Ada")' }));
    const names =
      'email,status,signed_up_at,last_signed_up_at,completed_at,unsubscribed_at,signups,first_name,last_name,zip_code,selected_offers';
    const time = '2026-11-01T00:00:00.000Z';
    const formula = `'=HYPERLINK(""http://evil.example"",""Ada"")`;
    const values = [`'${email}`, 'unfinished', time, time, '', '', '1', formula, 'Lovelace', '10001', ''];
    const rows = [names.split(','), values].map((row) => `${row.map((each) => `"${each}"`).join(',')}\r\n`).join('');
    expect(await succeeds('subscribers', 'export')).toBe(rows);
    const file = join(folder, 'subscribers.csv');
    expect(await succeeds('subscribers', 'export', '--output', file)).toBe(`1 subscriber written to ${file}.\n`);
    expect(readFileSync(file, 'utf8')).toBe(rows);
  });

  test('filters by the time of the first or a later signup', async () => {
    await anEntry(undefined, "created_at = '2026-11-01T23:59:59Z'");
    const again = await anEntry(undefined, "created_at = '2026-10-01T00:00:00Z'");
    await anEntry(again.email, "created_at = '2026-11-02T00:00:00Z'");
    const late = await anEntry(undefined, 'created_at = now()');
    expect(await addresses('--since', '2026-11-02')).toEqual([again.email, late.email]);
    expect(await addresses('--since', '1h')).toEqual([late.email]);
  });

  test('filters by status: a completion notice completes, an unsubscribe prevails, and one honest entry clears suspicion', async () => {
    const unfinished = await anEntry();
    const [completed, noticed, gone] = [await anEntry(), await anEntry(), await anEntry()];
    await backend.notifyComplete(noticed.id);
    for (const { id } of [completed, gone]) await backend.put(id, '/complete');
    await backend.unsubscribe(gone.email);
    const bot = await backend.anEntry(suspected);
    await backend.signUp({ email: unfinished.email, ...suspected });
    expect(await addresses('--status', 'completed')).toEqual([completed.email, noticed.email]);
    expect(await addresses('--status', 'unfinished')).toEqual([unfinished.email]);
    expect(await addresses('--status', 'suspected')).toEqual([bot.email]);
    expect(await exported('--status', 'unsubscribed')).toMatchObject([{ email: gone.email, status: 'unsubscribed' }]);
  });
});

describe('subscribers show', () => {
  test('prints all data of an address, and its signups and unsubscribes in order, whatever the case', async () => {
    const { id } = await anEntry('ada@example.com');
    await backend.put(id, '', information());
    await backend.put(id, '/update-client-info', undefined, { 'user-agent': 'Browser/1' });
    await backend.giveNotice({ email: 'ada@example.com', source: 'x\u001b[31m' });
    const { reference } = (await backend.unsubscribe('ADA@example.com')).body;
    const again = await anEntry('Ada@example.com', 'created_at = now()');
    await anEntry();
    const output = await succeeds('subscribers', 'show', 'ada@example.com');
    for (const text of ['ada@example.com  subscriber since', `REGISTRATION ${id}`, 'Lovelace', 'Browser/1', 'x�[31m'])
      expect(output).toContain(text);
    expect(output).toMatch(/signup\.created +pending +0 /);
    expect(output).toMatch(/\nHISTORY\n.+\n.+ signup .+\n.+ unsubscribe .+\n.+ signup /);
    const record = await json('subscribers', 'show', 'ada@example.com');
    expect(record).toMatchObject({
      email: 'ada@example.com',
      subscriber: { email: 'ada@example.com' },
      entries: [{ id, firstName: 'Ada', userAgent: 'Browser/1' }, { id: again.id }],
      history: [
        { what: 'signup', reference: String(id) },
        { what: 'unsubscribe', reference },
        { what: 'signup', reference: String(again.id) },
      ],
      emergencyNotices: [{ source: 'x\u001b[31m' }],
      privacyRequests: [{ reference }],
    });
    const types = record.events.map(({ type }: { type: string }) => type);
    expect(types).toEqual(['signup.created', 'signup.emergency', 'privacy_request.received', 'signup.created']);
    const errors = 'No data is stored for nobody@example.com.\n';
    expect(await operator('subscribers', 'show', 'nobody@example.com')).toEqual({ exitCode: 1, output: '', errors });
  });
});

describe('subscribers forget', () => {
  const forget = (email: string, ...options: string[]) => operator('subscribers', 'forget', email, '--yes', ...options);
  const everything = async () => JSON.stringify(await database.everything()).toLowerCase();
  const counted = () => database.query('SELECT status, count FROM forgotten_count');

  /** Creates a subscriber with every kind of data that is erased. */
  async function aKnownSubscriber() {
    const { id, email } = await anEntry();
    await anEntry(email.toUpperCase());
    await backend.put(id, '', information());
    await backend.put(id, '/update-client-info', undefined, { 'user-agent': 'Browser/1' });
    await backend.put(id, '/complete');
    await backend.giveNotice({ email });
    const [event] = await database.eventsWith({ email });
    await database.query("UPDATE outbox_event SET status = 'delivered' WHERE id = $1", [event?.id]);
    return email;
  }
  const notified = (id = '') =>
    `The mail system is notified by event ${id}, subscriber.forgotten, in 30 seconds at the earliest.\n`;

  test('removes all data of an address except a count and the event for the mail system, which loses it on delivery', async () => {
    const [email, other] = [await aKnownSubscriber(), await aKnownSubscriber()];
    const { exitCode, output, errors } = await forget(email);
    const [event] = await database.eventsWith({ email });
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    expect(output).toBe(
      `${email} is forgotten. Removed:\n  1 subscriber, 2 registrations with client details\n  1 emergency notice, 4 events\n${notified(event?.id)}`,
    );
    expect(event).toMatchObject({ type: 'subscriber.forgotten', status: 'pending' });
    expect(eventKinds['subscriber.forgotten'].data.parse(event?.data)).toEqual(event?.data);
    expect(event && event.next_attempt_at.getTime() - event.created_at.getTime()).toBe(30_000);
    const outbox = backend.app.get(OutboxRepository);
    await database.query('UPDATE outbox_event SET next_attempt_at = now() WHERE id = $1', [event?.id]);
    for (const claimed of await outbox.claim()) await outbox.record(claimed, { status: 'delivered' });
    const rest = await everything();
    expect([rest.includes(email), rest.includes(other)]).toEqual([false, true]);
    const counts = "SELECT status, count, month = date_trunc('month', now()) AS now FROM forgotten_count";
    expect(await database.query(counts)).toEqual([{ status: 'completed', count: 1, now: true }]);
  });

  test('is idempotent: reports that there is nothing (left) to forget, and counts once', async () => {
    const email = await aKnownSubscriber();
    await forget(email);
    const { output } = await forget(email);
    // The second call replaced the event.
    const [event, ...others] = await database.eventsWith({ email });
    expect(output).toBe(`There is nothing to forget of ${email}.\n${notified(event?.id)}`);
    expect(others).toEqual([]);
    expect((await forget(email, '--no-event')).output).toContain('The mail system is not notified.');
    expect(await everything()).not.toContain(email);
    expect(await counted()).toEqual([{ status: 'completed', count: 1 }]);
    const nobody = 'There is nothing to forget of nobody@example.com.\nThe mail system is not notified.\n';
    expect((await forget('nobody@example.com')).output).toBe(nobody);
  });

  test('forgets an address with only an emergency notice, and retains its privacy requests, which it reports', async () => {
    const email = anAddress();
    await backend.giveNotice({ email });
    const erased = JSON.parse((await forget(email, '--json')).output);
    expect(erased).toMatchObject({ found: true, subscriber: false, entries: 0, emergencyNotices: 1, events: 1 });
    expect(await counted()).toEqual([{ status: 'never signed up', count: 1 }]);
    await backend.unsubscribe(email);
    expect((await forget(email)).output).toContain('Retained, as the Privacy Policy says: 1 privacy request.\n');
    expect(await database.query('SELECT email FROM privacy_request')).toEqual([{ email }]);
  });

  test('names a time after every signup that it erased', async () => {
    const { email } = await anEntry();
    const holder = await database.lock('SELECT FROM subscriber WHERE email = $1 FOR UPDATE', [email]);
    const forgotten = forget(email);
    await database.waiting(1);
    // Of a signup in progress.
    const [{ at }] = (await holder.query('SELECT clock_timestamp() AS at')).rows;
    await holder.query('COMMIT');
    await holder.end();
    expect((await forgotten).exitCode).toBe(0);
    const [event] = await database.eventsWith({ email });
    expect(Date.parse(String(event?.data.forgottenAt))).toBeGreaterThanOrEqual(at.getTime());
  });

  test('blocks a concurrent signup, also of an unknown address, so that its event is not lost', async () => {
    const email = anAddress();
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

  test('forgets or retains each signup as a whole while the same address keeps signing up', async () => {
    const email = anAddress();
    let isForgotten = false;
    let signups = 1;
    const visitor = async () => {
      for (; !isForgotten; signups += 1) await backend.signUp({ email });
    };
    await backend.signUp({ email });
    const visitors = Promise.all(Array.from({ length: 10 }, visitor));
    const results = await Promise.all(Array.from({ length: 4 }, () => forget(email, '--json')));
    isForgotten = true;
    await visitors;
    for (const { exitCode, errors } of results) expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    const forgotten = results.reduce((sum, { output }) => sum + JSON.parse(output).entries, 0);
    const entries = await database.query<{ id: number }>('SELECT id::float8 FROM waitlist_entry');
    expect(forgotten + entries.length).toBe(signups);
    const events = await database.eventsWith({ email });
    const created = events.filter(({ type }) => type === 'signup.created').map(({ data }) => Number(data.entryId));
    // Only the first signups of a day are sent; each event belongs to a stored entry.
    expect(created).toHaveLength(Math.min(entries.length, 3));
    expect(entries.map(({ id }) => id)).toEqual(expect.arrayContaining(created));
    expect(events.filter(({ type }) => type === 'subscriber.forgotten')).toHaveLength(1);
  });
});

describe('events', () => {
  /** Stores an event with a status and returns its id. */
  async function anEvent(status: 'pending' | 'delivered' | 'dead', age = '0 s') {
    const [event] = await database.query<{ id: string }>(
      `INSERT INTO outbox_event (type, data, created_at, attempts, last_error, status, ended_at) VALUES (
         'signup.created', '{"email":"ada@example.com"}', now() - $2::interval, 3, 'The receiver responded with 500',
         $1, CASE WHEN $1 <> 'pending' THEN now() END) RETURNING id`,
      [status, age],
    );
    return event?.id ?? '';
  }
  const statusesOf = async (...ids: string[]) => {
    const events = await database.eventsWith();
    return ids.map((id) => events.find((event) => event.id === id)?.status);
  };

  test('list shows the newest first, with their delivery status and without addresses', async () => {
    expect(await succeeds('events', 'list')).toBe('There are no such events.\n');
    const dead = await anEvent('dead', '3 days');
    const delivered = await anEvent('delivered');
    const pending = await anEvent('pending');
    const output = await succeeds('events', 'list');
    const [head, first, , last] = output.split('\n');
    expect(head).toMatch(/^ID +TYPE +STATUS +HAPPENED +AGE +ATTEMPTS +ENDED OR DUE +LAST FAILURE$/);
    const failure = 'The receiver responded with 500';
    expect(first).toMatch(new RegExp(`^${pending} +signup.created +pending .+ just now +3 +due now +${failure}$`));
    expect(last).toMatch(new RegExp(`^${dead} +signup.created +dead .+ 3 days ago +3 `));
    expect(output).not.toContain('ada@example.com');
    for (const [status, id] of Object.entries({ dead, delivered, pending }))
      expect(await json('events', 'list', '--status', status)).toMatchObject([{ id }]);
    const limited = await succeeds('events', 'list', '--limit', '2');
    expect(limited).toMatch(/\nThe newest 2 of 3 events; more with --limit\.\n$/);
  });

  test('replay makes dead events due again, and names the others, which it does not change', async () => {
    const [first, second, other] = [await anEvent('dead'), await anEvent('dead'), await anEvent('dead')];
    expect(await succeeds('events', 'replay', first, second.toUpperCase())).toBe(
      '2 events will be delivered at once if a backend with WEBHOOK_URL is running.\n',
    );
    expect(await statusesOf(first, second, other)).toEqual(['pending', 'pending', 'dead']);
    const [delivered, unknown] = [await anEvent('delivered'), randomUUID()];
    expect(await operator('events', 'replay', other, first, delivered, unknown)).toEqual({
      exitCode: 1,
      output: '1 event will be delivered at once if a backend with WEBHOOK_URL is running.\n',
      errors: `No dead event has the id ${first} or ${delivered} or ${unknown}; operator events list --status dead shows the dead ones.\n`,
    });
    expect(await statusesOf(other, first, delivered)).toEqual(['pending', 'pending', 'delivered']);
    const dead = await anEvent('dead');
    expect(await json('events', 'replay', '--dead')).toEqual({ replayed: [dead] });
    expect(await statusesOf(dead, delivered)).toEqual(['pending', 'delivered']);
  });

  test('are counted by stats, like subscribers, suspected signups and the forgotten', async () => {
    const today = new Date().toISOString().slice(0, 10);
    await anEntry(undefined, "created_at = now() - interval '400 days'");
    await anEntry(undefined, 'completed_at = now()');
    await backend.unsubscribe((await backend.anEntry()).email);
    const { id } = await backend.anEntry(suspected);
    await database.query(
      "INSERT INTO forgotten_count VALUES ('2020-01-01', 'completed', 1234), (date_trunc('month', now()), 'unfinished', 1)",
    );
    await database.query('DELETE FROM outbox_event');
    for (const age of ['1 hour', '2 hours']) await anEvent('pending', age);
    for (const status of ['dead', 'delivered'] as const) await anEvent(status);
    expect(await json('stats', '--days', '2')).toMatchObject({
      subscribers: { total: 4, completed: 1, unfinished: 1, suspected: 1, unsubscribed: 1 },
      privacyRequests: { open: 1, overdue: 0 },
      forgotten: 1235,
      days: [{ signups: 0 }, { day: today, signups: 3, completed: 1, unfinished: 1, suspected: 1 }],
      events: { pending: 2, delivered: 1, dead: 1 },
    });
    const lines = (await succeeds('stats', '--days', '1')).split('\n');
    expect(lines).toEqual([
      'Subscribers           total: 4, completed: 1, unfinished: 1, suspected: 1, unsubscribed: 1',
      'Forgotten addresses   1,235',
      'Privacy requests      open: 1, overdue: 0',
      'Events                pending: 2, delivered: 1, dead: 1',
      'Oldest pending event  2 hours ago',
      '',
      'DAY (UTC)   SIGNUPS  COMPLETED  UNFINISHED  SUSPECTED',
      `${today}        3          1           1          1`,
      '',
    ]);
    await backend.put(id, '/complete');
    expect(await json('stats')).toMatchObject({ subscribers: { completed: 2, suspected: 0 } });
  });
});

describe('privacy-requests', () => {
  /** Stores a request that is due in so many hours and returns its reference. */
  async function aRequest(letter: string, hours: number, fields: object = {}) {
    const reference = `${letter.repeat(4)}-3XTA-9VD2`;
    await database.query(
      `INSERT INTO privacy_request (reference, kind, email, fields, page_version, global_privacy_control, received_at, due_at)
       VALUES ($1, 'privacy-rights-request', 'ada@example.com', $3, '1', false, now() - interval '30 days', now() + $2 * interval '1 hour')`,
      [reference, hours, JSON.stringify(fields)],
    );
    return reference;
  }
  const listed = async (...parameters: string[]) =>
    (await json('privacy-requests', 'list', ...parameters)).map(({ reference }: { reference: string }) => reference);

  test('list shows the most urgent first, marks overdue ones, and filters by days until the due date', async () => {
    expect(await succeeds('privacy-requests', 'list')).toBe('There are no such privacy requests.\n');
    const later = await aRequest('A', 50, { name: 'Ada\u001b[31m', requestType: 'access' });
    const overdue = await aRequest('B', -1);
    const [head, first, second] = (await succeeds('privacy-requests', 'list')).split('\n');
    expect(head).toMatch(/^REFERENCE +DUE +STATE +KIND +ADDRESS +RECEIVED +FIELDS$/);
    expect(first).toMatch(new RegExp(`^${overdue} .+ OVERDUE +privacy-rights-request +ada@example.com `));
    expect(second).toMatch(new RegExp(`^${later} .+ open .+ name: Ada�\\[31m, requestType: access$`));
    const tomorrow = await aRequest('C', 23);
    expect(await listed('--due', '0')).toEqual([overdue]);
    expect(await listed('--due')).toEqual([overdue, tomorrow]);
    expect(await listed('--due', '21')).toEqual([overdue, tomorrow, later]);
    const limited = await succeeds('privacy-requests', 'list', '--limit', '2');
    expect(limited).toMatch(/\nThe first 2 requests; more with --limit\.\n$/);
  });

  test('done marks an open request as done, and names an unknown one', async () => {
    const reference = await aRequest('A', 1);
    for (const typed of [reference, reference.toLowerCase()])
      expect(await succeeds('privacy-requests', 'done', typed)).toBe(`Privacy request ${reference} is done.\n`);
    expect(await listed()).toEqual([]);
    const errors = 'There is no privacy request K7QM-3XTA-9VD2; operator privacy-requests list shows them.\n';
    const unknown = await operator('privacy-requests', 'done', 'K7QM-3XTA-9VD2');
    expect(unknown).toEqual({ exitCode: 1, output: '', errors });
  });
});
