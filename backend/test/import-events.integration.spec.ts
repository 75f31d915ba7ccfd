import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { anEmail } from './support/factories.ts';
import { runOperator } from './support/operator.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record' });
const folder = mkdtempSync(join(tmpdir(), 'daybook-import-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the bodies of all webhooks, as a receiver logs them. */
const webhooks = async () =>
  (await database.eventsWith()).map(({ type, data, created_at }) =>
    JSON.stringify({ type, timestamp: created_at.toISOString(), data }),
  );

const importLog = async (lines: readonly string[]) => {
  const file = join(folder, 'log.jsonl');
  writeFileSync(file, lines.join('\n'));
  return runOperator(database, ['events', 'import', file, '--by', 'Ann']);
};

const state = async () => [
  await database.query(`SELECT email, unsubscribed_at IS NOT NULL AS unsubscribed FROM subscriber ORDER BY 1`),
  await database.query(`SELECT id, suspected, completed_at IS NOT NULL AS completed FROM waitlist_entry ORDER BY 1`),
  await database.query(`SELECT email, source FROM emergency_notice ORDER BY 1`),
  await database.query(`SELECT reference, kind, email, fields FROM privacy_request ORDER BY 1`),
];

test('a log restores what the database lost, once, in any order, without an event, and erases again', async () => {
  const [completed, returning, left] = [await backend.anEntry(), await backend.anEntry(), await backend.anEntry()];
  await backend.put(completed.id, '/complete');
  await backend.unsubscribe(returning.email);
  await backend.signUp({ email: returning.email });
  await backend.unsubscribe(left.email);
  await backend.signUp({ topic: 'x' });
  await backend.giveNotice();
  const erased = await backend.anEntry();
  const ofErased = (await webhooks()).at(-1) ?? '';
  await runOperator(database, ['subscribers', 'forget', erased.email, '--yes', '--by', 'Ann']);
  const after = await backend.signUp({ email: erased.email });
  expect(after.status).toBe(201);
  const log = [...(await webhooks()), ofErased].reverse();
  const expected = await state();

  await database.clear();
  const unreadable = ['not JSON', '{"type":"unknown"}', '', JSON.stringify({ type: 'signup.created', data: {} })];
  const first = await importLog([...unreadable, ...log]);
  expect(first.errors).toBe('Lines that could not be read: 1, 2, 4. All others are stored.\n');
  expect(first.exitCode).toBe(1);
  expect(await state()).toEqual(expected);
  expect(await database.eventsWith()).toEqual([]);
  expect(await database.query('SELECT operator, action, details FROM audit_log ORDER BY id DESC LIMIT 1')).toEqual([
    { operator: 'Ann', action: 'events import', details: { events: log.length, erasures: 1, unreadable: 3 } },
  ]);

  const again = await importLog(log);
  expect([again.exitCode, JSON.parse(again.output)]).toEqual([
    0,
    { added: 0, present: log.length - 1, erased: 0, unreadable: [] },
  ]);
  expect(await state()).toEqual(expected);
});

test('a log erases a subscriber that a backup brought back, and nothing newer', async () => {
  const [gone, back] = [await backend.anEntry(), await backend.anEntry()];
  const now = new Date().toISOString();
  const forgotten = [gone.email.toUpperCase(), back.email].map((email) =>
    JSON.stringify({ type: 'subscriber.forgotten', timestamp: now, data: { email, forgottenAt: now } }),
  );
  await database.query("UPDATE waitlist_entry SET created_at = '2100-01-01' WHERE id = $1", [back.id]);
  const { output } = await importLog(forgotten);
  expect(JSON.parse(output)).toMatchObject({ erased: 2, unreadable: [] });
  const left = await database.query('SELECT email FROM subscriber WHERE email = ANY ($1)', [[gone.email, back.email]]);
  expect(left).toEqual([{ email: back.email }]);
});

test('a value that no column accepts is reported with its line, and the others are stored', async () => {
  const at = '2026-01-01T00:00:00.000Z';
  const signup = (entryId: number, email: string) =>
    JSON.stringify({
      type: 'signup.created',
      timestamp: at,
      data: { entryId, email, signedUpAt: at, resubscribed: false, suspected: false },
    });
  const result = await importLog([signup(1, 'x'.repeat(300)), signup(2, anEmail())]);
  expect(result.errors).toBe('Lines that could not be read: 1. All others are stored.\n');
  expect(JSON.parse(result.output)).toMatchObject({ added: 1 });
});

test('a file that cannot be read is named, and nothing is recorded', async () => {
  const result = await runOperator(database, ['events', 'import', folder, '--by', 'Eve']);
  expect(result).toEqual({ exitCode: 1, output: '', errors: `${folder} cannot be read (EISDIR).\n` });
  expect(await database.query("SELECT FROM audit_log WHERE operator = 'Eve'")).toEqual([]);
});
