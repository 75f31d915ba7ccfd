import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { runOperator } from './support/operator.ts';
import { useDatabase } from './support/use-backend.ts';

const database = useDatabase();
beforeEach(async () => {
  await database.query('TRUNCATE outbox_event');
});

const events = (...parameters: string[]) => runOperator(database, ['events', ...parameters]);
const listed = async (...parameters: string[]) =>
  JSON.parse((await events('list', '--json', ...parameters)).output).map(({ id }: { id: string }) => id);

/** Stores an event with a status and returns its id. */
async function anEvent(status: 'pending' | 'delivered' | 'dead', { type = 'signup.created', age = '0 s' } = {}) {
  const [event] = await database.query<{ id: string }>(
    `INSERT INTO outbox_event (type, data, created_at, attempts, last_error, status, ended_at) VALUES (
       $2, '{"email":"ada@example.com"}', now() - $3::interval, 3, 'The receiver responded with 500',
       $1, CASE WHEN $1 <> 'pending' THEN now() END) RETURNING id`,
    [status, type, age],
  );
  return event?.id ?? '';
}

const statusOf = async (id: string) =>
  (await database.query<{ status: string }>('SELECT status FROM outbox_event WHERE id = $1', [id]))[0]?.status;

describe('events list', () => {
  test('lists the newest first, with their delivery status and without addresses', async () => {
    const dead = await anEvent('dead', { age: '3 days' });
    const pending = await anEvent('pending', { type: 'signup.completed' });
    const { exitCode, output } = await events('list');
    expect(exitCode).toBe(0);
    const [head, ...lines] = output.trim().split('\n');
    expect(head).toMatch(/^ID +TYPE +STATUS +HAPPENED +AGE +ATTEMPTS +ENDED OR DUE +LAST FAILURE$/);
    expect(lines[0]).toMatch(
      new RegExp(`^${pending} +signup.completed +pending .+ just now +3 +due now +The receiver responded with 500$`),
    );
    expect(lines[1]).toMatch(new RegExp(`^${dead} +signup.created +dead .+ 3 days ago +3 `));
    expect(output).not.toContain('ada@example.com');
  });

  test('filters by status', async () => {
    const dead = await anEvent('dead', { age: '3 days' });
    const delivered = await anEvent('delivered', { type: 'signup.completed' });
    const pending = await anEvent('pending');
    expect(await listed('--status', 'dead')).toEqual([dead]);
    expect(await listed('--status', 'delivered')).toEqual([delivered]);
    expect(await listed('--status', 'pending')).toEqual([pending]);
  });

  test('reports when there are more events or none', async () => {
    expect((await events('list')).output).toBe('There are no such events.\n');
    for (let n = 0; n < 3; n++) await anEvent('pending');
    expect((await events('list', '--limit', '2')).output).toMatch(/\nThe newest 2 of 3 events; more with --limit\.\n$/);
    expect(await listed('--limit', '2')).toHaveLength(2);
  });
});

describe('events replay', () => {
  test('makes dead events due again with the same id', async () => {
    const [first, second, other] = [await anEvent('dead'), await anEvent('dead'), await anEvent('dead')];
    expect(await events('replay', first, second.toUpperCase())).toEqual({
      exitCode: 0,
      output: '2 events will be delivered at once if a backend with WEBHOOK_URL is running.\n',
      errors: '',
    });
    expect(await Promise.all([first, second, other].map(statusOf))).toEqual(['pending', 'pending', 'dead']);
  });

  test('names events that cannot be replayed, and does not change them', async () => {
    const [dead, pending, delivered] = [await anEvent('dead'), await anEvent('pending'), await anEvent('delivered')];
    const unknown = randomUUID();
    expect(await events('replay', dead, pending, delivered, unknown)).toEqual({
      exitCode: 1,
      output: '1 event will be delivered at once if a backend with WEBHOOK_URL is running.\n',
      errors: `No dead event has the id ${pending} or ${delivered} or ${unknown}; operator events list --status dead shows the dead ones.\n`,
    });
    expect(await Promise.all([dead, pending, delivered].map(statusOf))).toEqual(['pending', 'pending', 'delivered']);
  });

  test('replays all dead events with --dead', async () => {
    const [dead, delivered] = [await anEvent('dead'), await anEvent('delivered')];
    expect(JSON.parse((await events('replay', '--dead', '--json')).output)).toEqual({ replayed: [dead] });
    expect(await statusOf(delivered)).toBe('delivered');
    expect(JSON.parse((await events('replay', '--dead', '--json')).output)).toEqual({ replayed: [] });
  });
});

describe('stats', () => {
  test('prints the numbers of the database', async () => {
    const today = new Date().toISOString().slice(0, 10);
    await database.query(`
      WITH known AS (INSERT INTO subscriber (email) SELECT n || '@example.com' FROM generate_series(1, 3) n RETURNING id)
      INSERT INTO waitlist_entry (id, subscriber_id, completed_at, created_at)
      SELECT id, id, CASE WHEN id % 3 = 0 THEN now() END, now() - CASE WHEN id % 3 = 1 THEN interval '400 days' ELSE '0' END FROM known
    `);
    await database.query(
      "INSERT INTO forgotten_count VALUES ('2020-01-01', 'completed', 4), (date_trunc('month', now()), 'unfinished', 1)",
    );
    await database.query("INSERT INTO subscriber (email, unsubscribed_at) VALUES ('gone@example.com', now())");
    await anEvent('dead');
    await anEvent('delivered');
    await anEvent('pending', { age: '2 hours' });
    await anEvent('pending', { age: '1 hour' });
    const { output } = await runOperator(database, ['stats', '--json', '--days', '2']);
    const stats = JSON.parse(output);
    expect(stats).toMatchObject({
      subscribers: { total: 4, completed: 1, unfinished: 2, suspected: 0, unsubscribed: 1 },
      privacyRequests: { open: 0, overdue: 0 },
      forgotten: 5,
      days: [{ signups: 0 }, { day: today, signups: 2, completed: 1, unfinished: 1 }],
      events: { pending: 2, delivered: 1, dead: 1 },
    });
    expect(Date.now() - Date.parse(stats.events.oldestPendingSince)).toBeGreaterThanOrEqual(2 * 3_600_000);
  });
});
