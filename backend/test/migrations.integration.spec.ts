import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { databaseOptions, runMigrations } from '../src/database/index.ts';
import * as migrations from '../src/database/migrations/index.ts';
import { EmergencyNotice } from '../src/emergency-notice/index.ts';
import { AuditLogEntry } from '../src/operator/audit-log.entity.ts';
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
  const entities = [
    Subscriber,
    WaitlistEntry,
    EmergencyNotice,
    PrivacyRequest,
    OutboxEvent,
    ForgottenCount,
    AuditLogEntry,
  ];
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

test('spellings of an address that differ in case are one subscriber, and one emergency notice a day', async () => {
  await runMigrations({ DATABASE_URL: database.url });
  const notice = (email: string) =>
    database.query(`INSERT INTO emergency_notice (email, source, client_timestamp) VALUES ($1, '', now())`, [email]);
  const subscriber = (email: string) => database.query('INSERT INTO subscriber (email) VALUES ($1)', [email]);
  for (const insert of [notice, subscriber]) {
    await insert('Ada@example.com');
    await expect(insert('aDA@example.com')).rejects.toThrow('violates unique constraint');
    await insert('adam@example.com');
  }
});
