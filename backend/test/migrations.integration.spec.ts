import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { databaseOptions, runMigrations } from '../src/database/index.ts';
import { FixStoredAddresses1795413600000 } from '../src/database/migrations/1795413600000-fix-stored-addresses.ts';
import * as migrations from '../src/database/migrations/index.ts';
import { EmergencyNotice } from '../src/emergency-notice.module.ts';
import { ForgottenCount } from '../src/operator/forgotten-count.entity.ts';
import { OutboxEvent } from '../src/outbox/index.ts';
import { PrivacyRequest } from '../src/privacy-requests/index.ts';
import { Subscriber, WaitlistEntry } from '../src/waitlist/index.ts';
import { createTestDatabase, type TestDatabase } from './support/test-database.ts';

/** Ordered by the times at the end of their names. */
const all = Object.values(migrations)
  .map(({ name }) => name)
  .toSorted((one, other) => Number(one.slice(-13)) - Number(other.slice(-13)));

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
});

afterEach(async () => {
  await database?.drop();
});

test('running the migrations twice runs each migration once', async () => {
  const environment = { DATABASE_URL: database.url };
  expect(await runMigrations(environment)).toEqual(all);
  expect(await runMigrations(environment)).toEqual([]);
});

test('concurrent migrators run each migration once', async () => {
  const ran = await Promise.all(Array.from({ length: 4 }, () => runMigrations({ DATABASE_URL: database.url })));
  expect(ran.flat()).toEqual(all);
});

test('the migrated schema has every column of the entities', async () => {
  await runMigrations({ DATABASE_URL: database.url });
  const entities = [Subscriber, WaitlistEntry, EmergencyNotice, PrivacyRequest, OutboxEvent, ForgottenCount];
  const dataSource = await new DataSource({
    ...databaseOptions({ DATABASE_URL: database.url }),
    entities,
  }).initialize();
  try {
    for (const entity of entities) expect(await dataSource.manager.find<object>(entity)).toEqual([]);
  } finally {
    await dataSource.destroy();
  }
});

test('all migrations can be reverted', async () => {
  await runMigrations({ DATABASE_URL: database.url });
  const dataSource = await new DataSource(databaseOptions({ DATABASE_URL: database.url })).initialize();
  for (const _ of all) await dataSource.undoLastMigration();
  await dataSource.destroy();
  expect(await runMigrations({ DATABASE_URL: database.url })).toEqual(all);
});

test('stored addresses lose their trailing dot, and signups without an @ are deleted', async () => {
  await runMigrations({ DATABASE_URL: database.url });
  await database.query(`
    WITH new AS (
      INSERT INTO subscriber (email)
      VALUES ('left@example.com'), ('returned@example.com'), ('gmail.com'), ('reader@example.com') RETURNING *
    )
    INSERT INTO waitlist_entry (id, subscriber_id, created_at)
    SELECT id, id, CASE email WHEN 'returned@example.com' THEN '2026-03-01' ELSE '2026-01-01' END::timestamptz FROM new
  `);
  const request = (number: number, email: string) =>
    `('XXXX-XXXX-000${number}', 'unsubscribe', '${email}', '{}', '', false, '2026-02-01', '2026-02-03')`;
  await database.query(`
    INSERT INTO privacy_request
      (reference, kind, email, fields, page_version, global_privacy_control, received_at, due_at)
    VALUES ${request(1, 'Left@example.com.')}, ${request(2, 'returned@example.com..')}, ${request(3, 'a@..')}
  `);
  await database.query(
    "INSERT INTO emergency_notice (email, source, client_timestamp) VALUES ('gmail.com', 'x', now())",
  );
  await database.query(`
    INSERT INTO outbox_event (type, data, delivered_at, attempts)
    VALUES ('privacy_request.received', '{"email": "Left@example.com."}', now(), 1),
      ('subscriber.created', '{"email": "gmail.com"}', NULL, 0), ('other', '{}', now(), 1)
  `);

  const dataSource = await new DataSource(databaseOptions({ DATABASE_URL: database.url })).initialize();
  await new FixStoredAddresses1795413600000().up(dataSource.createQueryRunner());
  await dataSource.destroy();

  expect(await database.query('SELECT email FROM privacy_request ORDER BY id')).toEqual([
    { email: 'Left@example.com' },
    { email: 'returned@example.com' },
    { email: 'a@..' },
  ]);
  expect(await database.query('SELECT email, unsubscribed_at FROM subscriber ORDER BY email')).toEqual([
    { email: 'left@example.com', unsubscribed_at: new Date('2026-02-01') },
    { email: 'reader@example.com', unsubscribed_at: null },
    { email: 'returned@example.com', unsubscribed_at: null },
  ]);
  expect(await database.query('SELECT count(*) FROM waitlist_entry')).toEqual([{ count: 3 }]);
  expect(await database.query('SELECT * FROM emergency_notice')).toEqual([]);
  expect(await database.query('SELECT data, attempts, delivered_at FROM outbox_event ORDER BY type DESC')).toEqual([
    { data: { email: 'Left@example.com' }, attempts: 0, delivered_at: null },
    { data: {}, attempts: 1, delivered_at: expect.any(Date) },
  ]);
});

test('check constraints reject values that no call may store', async () => {
  await runMigrations({ DATABASE_URL: database.url });
  await database.query("INSERT INTO subscriber (email) VALUES ('a@example.com')");
  await database.query('INSERT INTO waitlist_entry (id, subscriber_id) SELECT 7, id FROM subscriber');
  for (const change of [
    'step = 0',
    'step = 3',
    "network_address = '10.1.2.3/32'",
    "notice_source = 'alone'",
    'id = -1',
  ]) {
    await expect(database.query(`UPDATE waitlist_entry SET ${change}`)).rejects.toThrow('violates check constraint');
  }
});
