import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventKinds } from '@daybook/contract/events';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { OutboxRepository } from '../src/outbox/index.ts';
import { createBackendRole } from './support/backend-role.ts';
import {
  anAddress,
  completionNotice,
  emergencyNotice,
  information,
  privacyRequest,
  signUp,
} from './support/factories.ts';
import { runOperator, startOperator } from './support/operator.ts';
import { eventsWith } from './support/outbox.ts';
import { createTestDatabase } from './support/test-database.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record' });
const folder = mkdtempSync(join(tmpdir(), 'daybook-operator-'));
afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(async () => {
  // DELETE instead of TRUNCATE, which locks whole tables and can deadlock with the backend's background work.
  for (const table of [
    'waitlist_entry',
    'subscriber',
    'emergency_notice',
    'privacy_request',
    'outbox_event',
    'forgotten_count',
  ])
    await database.query(`DELETE FROM ${table}`);
});

const operator = (...parameters: string[]) => runOperator(database, parameters);
const succeeds = async (...parameters: string[]) => {
  const { exitCode, output, errors } = await operator(...parameters);
  expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
  return output;
};
const json = async (...parameters: string[]) => JSON.parse(await succeeds(...parameters, '--json'));

/** Signs up, and applies SQL changes to the entry. */
async function anEntry(email = anAddress(), changes = "created_at = '2026-11-01T00:00:00Z'") {
  const { id } = (await signUp(backend, { email })).body.entry;
  await database.query(`UPDATE waitlist_entry SET ${changes} WHERE id = $1`, [id]);
  return { id, email };
}
const put = (id: number, path: string, options = {}) => backend.request('PUT', `/api/waitlist/${id}${path}`, options);
const unsubscribe = (email: string) =>
  backend.request('POST', '/api/privacy-requests', { json: privacyRequest({ email }) });
const giveNotice = (email: string, source = 'x') =>
  backend.request('POST', '/api/emergency-webhook', { json: emergencyNotice({ email, source }) });

describe('the operator command', () => {
  test('lists every command without a database', async () => {
    const { exitCode, output, errors } = await runOperator({}, ['help']);
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    for (const command of ['stats', 'subscribers', 'events', 'privacy-requests', 'audit-log'])
      expect(output).toContain(`  ${command}`);
  });

  const nameRule = 'It must be a name of 1 to 60 characters, without control characters.';
  const badName = `OPERATOR, for the audit log: ${nameRule} Set it, or use --by <name>.`;
  const exporting = ['subscribers', 'export'];
  test.each<[message: string, parameters: readonly string[], command: string, variables?: Record<string, string>]>([
    ["Unknown command 'delete'", ['subscribers', 'delete'], 'operator subscribers'],
    [
      "Command-argument value 'ada' is invalid for argument 'address'. It is not an e-mail address.",
      ['subscribers', 'show', 'ada'],
      'operator subscribers show',
    ],
    ['Use either ids or --dead.', ['events', 'replay', '--dead', randomUUID()], 'operator events replay'],
    [
      'A confirmation needs a terminal. Use --yes to skip it.',
      ['subscribers', 'forget', 'ada@example.com'],
      'operator subscribers forget',
    ],
    // As in a container, which has no name of its user.
    ['Name yourself, for the audit log: --by <name>', exporting, 'operator subscribers export', { OPERATOR: '' }],
    [badName, exporting, 'operator subscribers export', { OPERATOR: 'x'.repeat(61) }],
    [badName, exporting, 'operator subscribers export', { OPERATOR: ' ' }],
    [badName, exporting, 'operator subscribers export', { OPERATOR: 'Ann\u0007' }],
    [
      `Option '--by <name>' argument 'Ann\nBob' is invalid. ${nameRule}`,
      [...exporting, '--by', 'Ann\nBob'],
      'operator subscribers export',
    ],
  ])('exits with code 2 before it connects to a database: %j', async (message, parameters, command, variables = {}) => {
    const { exitCode, output, errors } = await runOperator({}, parameters, variables);
    expect({ exitCode, output, errors }).toEqual({
      exitCode: 2,
      output: '',
      errors: `${message}\nSee: ${command} --help\n`,
    });
  });

  test.each<[message: string, url?: string]>([
    ['No database is configured. Set DATABASE_URL or DATABASE_URL_FILE; .*start the site first'],
    ['DATABASE_URL: must be an address such as', 'mysql://x'],
    ['The database at DATABASE_URL cannot be reached: ', 'postgres://127.0.0.1:1/x'],
    ['The database at DATABASE_URL rejects the login: .+', 'wrong password'],
  ])('exits with code 1 and a hint without a database: %s', async (message, url = '') => {
    const wrong = Object.assign(new URL(database.url), { password: 'wrong' }).href;
    const environment = { url: url === 'wrong password' ? wrong : url };
    const { exitCode, output, errors } = await runOperator(environment, ['stats']);
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: '' });
    expect(errors).toMatch(new RegExp(`${message}.*\\n$`));
  });

  test('exits with code 1 and a hint if its role lacks connections or a privilege', async () => {
    const role = await createBackendRole(database);
    await database.query(`ALTER ROLE ${role.name} CONNECTION LIMIT 0`);
    const full = await runOperator(role, ['stats']);
    await database.query(`ALTER ROLE ${role.name} CONNECTION LIMIT -1; REVOKE INSERT ON audit_log FROM ${role.name}`);
    const unprivileged = await runOperator(role, ['subscribers', 'export', '--by', 'Ann']);
    await role.drop();
    expect([full.exitCode, unprivileged.exitCode]).toEqual([1, 1]);
    expect(full.errors).toMatch(/^The database at DATABASE_URL is out of resources: too many connections .+\n$/);
    expect(unprivileged.errors).toMatch(
      /^The role in DATABASE_URL lacks a privilege: permission denied for table audit_log\. .+: docker compose run --rm roles\.\n$/,
    );
  });

  test('as a process reads DATABASE_URL_FILE, the form of secrets in containers, and reports pending migrations', async () => {
    const empty = await createTestDatabase({ migrated: false });
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
    const by = ['--by', 'Ann Müller'];
    for (const command of [
      ['subscribers', 'export', '--status', 'unfinished', ...by],
      ['subscribers', 'show', email, ...by],
      ['subscribers', 'forget', email, '--yes', ...by],
      ['events', 'replay', id, ...by],
      ['privacy-requests', 'list', '--due', '7', '--json', ...by],
      ['privacy-requests', 'done', 'K7QM-3XTA-9VD2', ...by],
      // Reads no addresses.
      ['stats'],
      ['events', 'list'],
    ])
      await operator(...command);
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
      /^WHEN +OPERATOR +COMMAND +DETAILS\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Ann Müller {2}privacy-requests done {2}reference: K7QM-3XTA-9VD2\nThe newest 1 of [\d,]+ entries; more with --limit.\n$/,
    );
  });

  test('cannot be changed, not even by the owner of its table', async () => {
    await runOperator(database, ['subscribers', 'export'], { OPERATOR: 'Bob' });
    expect((await json('audit-log', '--limit', '1'))[0]).toMatchObject({
      operator: 'Bob',
      action: 'subscribers export',
    });
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

  test('is CSV with escaped formulas by default', async () => {
    const { id, email } = await anEntry('+ada@example.com');
    await put(id, '', { json: information({ firstName: '=HYPERLINK("http://evil.example","Ada")' }) });
    expect(await succeeds('subscribers', 'export')).toBe(
      'email,status,signed_up_at,last_signed_up_at,completed_at,unsubscribed_at,signups,first_name,last_name,zip_code,selected_offers\r\n' +
        `'${email},unfinished,2026-11-01T00:00:00.000Z,2026-11-01T00:00:00.000Z,,,1,` +
        `"'=HYPERLINK(""http://evil.example"",""Ada"")",Lovelace,10001,\r\n`,
    );
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
    await backend.request('POST', `/api/waitlist/${noticed.id}/notify-complete`, { json: completionNotice() });
    for (const { id } of [completed, gone]) await put(id, '/complete');
    await unsubscribe(gone.email);
    const suspected = anAddress();
    await signUp(backend, { email: suspected, topic: 'Cheap watches' });
    await signUp(backend, { email: unfinished.email, topic: 'Cheap watches' });
    expect(await addresses('--status', 'completed')).toEqual([completed.email, noticed.email]);
    expect(await addresses('--status', 'unfinished')).toEqual([unfinished.email]);
    expect(await addresses('--status', 'suspected')).toEqual([suspected]);
    expect(await exported('--status', 'unsubscribed')).toMatchObject([{ email: gone.email, status: 'unsubscribed' }]);
  });

  test('writes a new file with --output', async () => {
    await anEntry();
    const file = join(folder, 'subscribers.json');
    const output = await succeeds('subscribers', 'export', '--format', 'json', '--output', file);
    expect(output).toBe(`1 subscriber written to ${file}.\n`);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveLength(1);
  });
});

describe('subscribers show', () => {
  test('prints all data of an address, and its signups and unsubscribes in order, whatever the case', async () => {
    const { id } = await anEntry('ada@example.com');
    await put(id, '', { json: information() });
    await put(id, '/update-client-info', { headers: { 'user-agent': 'Browser/1' } });
    await giveNotice('ada@example.com', 'x\u001b[31m');
    await unsubscribe('ADA@example.com');
    const again = await anEntry('Ada@example.com', 'created_at = now()');
    await anEntry();
    const output = await succeeds('subscribers', 'show', 'ada@example.com');
    for (const text of ['ada@example.com  subscriber since', `REGISTRATION ${id}`, 'Lovelace', '10001', 'Browser/1'])
      expect(output).toContain(text);
    expect(output.match(/REGISTRATION/g)).toHaveLength(2);
    expect(output).toContain('x�[31m');
    expect(output).toMatch(/signup\.created +pending +0 /);
    expect(output).toMatch(/\nHISTORY\n.+\n.+ signup .+\n.+ unsubscribe .+\n.+ signup /);
    const record = await json('subscribers', 'show', 'ada@example.com');
    const [{ reference }] = record.privacyRequests;
    expect(record).toMatchObject({
      email: 'ada@example.com',
      subscriber: { email: 'ada@example.com' },
      entries: expect.arrayContaining([expect.objectContaining({ id, firstName: 'Ada', userAgent: 'Browser/1' })]),
      history: [
        { what: 'signup', reference: String(id) },
        { what: 'unsubscribe', reference },
        { what: 'signup', reference: String(again.id) },
      ],
      emergencyNotices: [{ source: 'x\u001b[31m' }],
    });
    const types = record.events.map(({ type }: { type: string }) => type);
    expect(types).toEqual(['signup.created', 'signup.emergency', 'privacy_request.received', 'signup.created']);
  });

  test('reports that no data is stored', async () => {
    const errors = 'No data is stored for nobody@example.com.\n';
    expect(await operator('subscribers', 'show', 'nobody@example.com')).toEqual({ exitCode: 1, output: '', errors });
  });
});

describe('subscribers forget', () => {
  const forget = (email: string, ...options: string[]) => operator('subscribers', 'forget', email, '--yes', ...options);

  /** Returns all rows of the database as text in lower case. */
  async function everything(): Promise<string> {
    const tables = await database.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const rows = await Promise.all(tables.map(({ name }) => database.query(`SELECT * FROM ${name}`)));
    return JSON.stringify(rows).toLowerCase();
  }

  /** Creates a subscriber with every kind of data that is erased. */
  async function aKnownSubscriber() {
    const { id, email } = await anEntry();
    await anEntry(email.toUpperCase());
    await put(id, '', { json: information() });
    await put(id, '/update-client-info', { headers: { 'user-agent': 'Browser/1' } });
    await put(id, '/complete');
    await giveNotice(email);
    const [event] = await eventsWith(database, { email });
    await database.query("UPDATE outbox_event SET status = 'delivered' WHERE id = $1", [event?.id]);
    return email;
  }

  test('removes all data of an address except a count and the event for the mail system, which loses it on delivery', async () => {
    const [email, other] = [await aKnownSubscriber(), await aKnownSubscriber()];
    const { exitCode, output, errors } = await forget(email);
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
    const outbox = backend.app.get(OutboxRepository);
    await database.query('UPDATE outbox_event SET next_attempt_at = now() WHERE id = $1', [event?.id]);
    for (const claimed of await outbox.claim()) await outbox.record(claimed, { status: 'delivered' });
    expect(await everything()).not.toContain(email);
    const counts = "SELECT status, count, month = date_trunc('month', now()) AS now FROM forgotten_count";
    expect(await database.query(counts)).toEqual([{ status: 'completed', count: 1, now: true }]);
    expect(await everything()).toContain(other);
  });

  test('is idempotent: reports that there is nothing (left) to forget, and counts once', async () => {
    const email = await aKnownSubscriber();
    expect((await forget('nobody@example.com')).output).toBe(
      'There is nothing to forget of nobody@example.com.\nThe mail system is not notified.\n',
    );
    await forget(email);
    const { output } = await forget(email);
    // The second call replaced the event.
    const [event, ...others] = await eventsWith(database, { email });
    expect(output).toBe(
      `There is nothing to forget of ${email}.\nThe mail system is notified by event ${event?.id}, subscriber.forgotten, in 30 seconds at the earliest.\n`,
    );
    expect(others).toEqual([]);
    expect((await forget(email, '--no-event')).output).toContain('The mail system is not notified.');
    expect(await everything()).not.toContain(email);
    expect(await database.query('SELECT count FROM forgotten_count')).toEqual([{ count: 1 }]);
  });

  test('forgets an address with only an emergency notice', async () => {
    const email = anAddress();
    await giveNotice(email);
    const erased = JSON.parse((await forget(email, '--json')).output);
    expect(erased).toMatchObject({ found: true, subscriber: false, entries: 0, emergencyNotices: 1, events: 1 });
    const counts = await database.query('SELECT status, count FROM forgotten_count');
    expect(counts).toEqual([{ status: 'never signed up', count: 1 }]);
  });

  test('retains privacy requests, and reports it', async () => {
    const email = anAddress();
    await unsubscribe(email);
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
    const [event] = await eventsWith(database, { email });
    expect(Date.parse(String(event?.data.forgottenAt))).toBeGreaterThanOrEqual(at.getTime());
  });

  test('blocks a concurrent signup, also of an unknown address, so that its event is not lost', async () => {
    const email = anAddress();
    await giveNotice(email);
    const holder = await database.lock('SELECT FROM emergency_notice WHERE email = $1 FOR UPDATE', [email]);
    const forgetting = forget(email);
    let signup: ReturnType<typeof signUp> | undefined;
    try {
      await database.waiting(1);
      signup = signUp(backend, { email });
      await database.waiting(2);
    } finally {
      await holder.end();
    }
    expect((await forgetting).exitCode).toBe(0);
    const id = (await signup)?.body.entry.id;
    expect(await database.query('SELECT id::float8 FROM waitlist_entry')).toEqual([{ id }]);
    expect(await eventsWith(database, { email, entryId: id })).toHaveLength(1);
  });

  test('forgets or retains each signup as a whole while the same address keeps signing up', async () => {
    const email = anAddress();
    let isForgotten = false;
    let signups = 0;
    const visitor = async () => {
      for (; !isForgotten; signups += 1) await signUp(backend, { email });
    };
    await signUp(backend, { email });
    const visitors = Promise.all(Array.from({ length: 10 }, visitor));
    const results = await Promise.all(Array.from({ length: 4 }, () => forget(email, '--json')));
    isForgotten = true;
    await visitors;
    for (const { exitCode, errors } of results) expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    const forgotten = results.reduce((sum, { output }) => sum + (JSON.parse(output).entries ?? 0), 0);
    const entries = await database.query<{ id: number }>('SELECT id::float8 FROM waitlist_entry');
    expect(forgotten + entries.length).toBe(signups + 1);
    const events = await eventsWith(database, { email });
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
  const statusesOf = (...ids: string[]) =>
    Promise.all(
      ids.map(
        async (id) =>
          (await database.query<{ status: string }>('SELECT status FROM outbox_event WHERE id = $1', [id]))[0]?.status,
      ),
    );

  test('list shows the newest first, with their delivery status and without addresses', async () => {
    expect(await succeeds('events', 'list')).toBe('There are no such events.\n');
    const [dead, delivered, pending] = [
      await anEvent('dead', '3 days'),
      await anEvent('delivered'),
      await anEvent('pending'),
    ];
    const output = await succeeds('events', 'list');
    const [head, first, , last] = output.split('\n');
    expect(head).toMatch(/^ID +TYPE +STATUS +HAPPENED +AGE +ATTEMPTS +ENDED OR DUE +LAST FAILURE$/);
    expect(first).toMatch(
      new RegExp(`^${pending} +signup.created +pending .+ just now +3 +due now +The receiver responded with 500$`),
    );
    expect(last).toMatch(new RegExp(`^${dead} +signup.created +dead .+ 3 days ago +3 `));
    expect(output).not.toContain('ada@example.com');
    for (const [status, id] of Object.entries({ dead, delivered, pending }))
      expect(await json('events', 'list', '--status', status)).toMatchObject([{ id }]);
    expect(await succeeds('events', 'list', '--limit', '2')).toMatch(
      /\nThe newest 2 of 3 events; more with --limit\.\n$/,
    );
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
  });

  test('replay --dead replays all dead events', async () => {
    const [dead, delivered] = [await anEvent('dead'), await anEvent('delivered')];
    expect(await json('events', 'replay', '--dead')).toEqual({ replayed: [dead] });
    expect(await statusesOf(dead, delivered)).toEqual(['pending', 'delivered']);
  });

  test('are counted by stats, like subscribers, suspected signups and the forgotten', async () => {
    const today = new Date().toISOString().slice(0, 10);
    await anEntry(undefined, "created_at = now() - interval '400 days'");
    await anEntry(undefined, 'completed_at = now()');
    await unsubscribe((await anEntry(undefined, 'created_at = now()')).email);
    const { id } = (await signUp(backend, { topic: 'Cheap watches' })).body.entry;
    await database.query(
      "INSERT INTO forgotten_count VALUES ('2020-01-01', 'completed', 4), (date_trunc('month', now()), 'unfinished', 1)",
    );
    await database.query('DELETE FROM outbox_event');
    for (const age of ['1 hour', '2 hours']) await anEvent('pending', age);
    for (const status of ['dead', 'delivered'] as const) await anEvent(status);
    const stats = await json('stats', '--days', '2');
    expect(stats).toMatchObject({
      subscribers: { total: 4, completed: 1, unfinished: 1, suspected: 1, unsubscribed: 1 },
      privacyRequests: { open: 1, overdue: 0 },
      forgotten: 5,
      days: [{ signups: 0 }, { day: today, signups: 3, completed: 1, unfinished: 1, suspected: 1 }],
      events: { pending: 2, delivered: 1, dead: 1 },
    });
    expect(Date.now() - Date.parse(stats.events.oldestPendingSince)).toBeGreaterThanOrEqual(2 * 3_600_000);
    await put(id, '/complete');
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
    const output = await succeeds('privacy-requests', 'list', '--limit', '2');
    expect(output).toMatch(/\nThe first 2 requests; more with --limit\.\n$/);
  });

  test('done marks an open request as done, and names an unknown one', async () => {
    const reference = await aRequest('A', 1);
    for (const typed of [reference, reference.toLowerCase()])
      expect(await succeeds('privacy-requests', 'done', typed)).toBe(`Privacy request ${reference} is done.\n`);
    expect(await listed()).toEqual([]);
    expect(await operator('privacy-requests', 'done', 'K7QM-3XTA-9VD2')).toEqual({
      exitCode: 1,
      output: '',
      errors: 'There is no privacy request K7QM-3XTA-9VD2; operator privacy-requests list shows them.\n',
    });
  });
});
