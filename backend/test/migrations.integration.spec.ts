import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { databaseOptions } from '../src/database/database-options.ts';
import { runMigrations } from '../src/database/index.ts';
import { migrations } from '../src/database/migrations/index.ts';
import { EmergencyNotice } from '../src/emergency-notice/emergency-notice.entity.ts';
import { PrivacyRequest } from '../src/privacy-requests/privacy-request.entity.ts';
import { Subscriber } from '../src/waitlist/subscriber.entity.ts';
import { WaitlistEntry } from '../src/waitlist/waitlist-entry.entity.ts';
import { createTestDatabase, type TestDatabase } from './support/test-database.ts';

const all = migrations.map((Migration) => new Migration().name);

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
});

afterEach(async () => {
  await database?.drop();
});

test('migrating twice runs each migration once', async () => {
  const environment = { DATABASE_URL: database.url };
  expect(await runMigrations(environment)).toEqual(all);
  expect(await runMigrations(environment)).toEqual([]);
});

test('migrators that start at the same time run each migration once', async () => {
  const ran = await Promise.all(Array.from({ length: 4 }, () => runMigrations({ DATABASE_URL: database.url })));
  expect(ran.flat()).toEqual(all);
});

test('every column of the entities is there after migrating', async () => {
  await runMigrations({ DATABASE_URL: database.url });
  const entities = [Subscriber, WaitlistEntry, EmergencyNotice, PrivacyRequest];
  const dataSource = await new DataSource({
    ...databaseOptions({ DATABASE_URL: database.url }),
    entities,
  }).initialize();
  try {
    for (const entity of entities) await expect(dataSource.getRepository(entity).find()).resolves.toEqual([]);
  } finally {
    await dataSource.destroy();
  }
});

test('migrations can be taken back', async () => {
  await runMigrations({ DATABASE_URL: database.url });
  const dataSource = await new DataSource(databaseOptions({ DATABASE_URL: database.url })).initialize();
  for (const _ of all) await dataSource.undoLastMigration();
  await dataSource.destroy();
  expect(await runMigrations({ DATABASE_URL: database.url })).toEqual(all);
});

test('the database itself refuses what no call may store', async () => {
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
