import type { State } from '@daybook/contract/release';
import { eventually } from '@daybook/testing/eventually';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Store } from '../../shell/server/releases/store.ts';
import { runMigrations } from '../src/database/index.ts';
import { anEmail } from './support/factories.ts';
import { successOfAllCalls, TestBackend } from './support/test-backend.ts';
import { TestDatabase } from './support/test-database.ts';
import { TestReceiver } from './support/test-receiver.ts';

const settings = [
  "DateStyle = 'German'",
  "IntervalStyle = 'sql_standard'",
  "TimeZone = 'Asia/Kolkata'",
  "search_path = ''",
  "bytea_output = 'escape'",
  "client_encoding = 'LATIN1'",
  'standard_conforming_strings = off',
  'extra_float_digits = -15',
  "default_transaction_isolation = 'serializable'",
];

const database = new TestDatabase();
const receiver = new TestReceiver();
const backend = new TestBackend();
let role: Awaited<ReturnType<TestDatabase['createBackendRole']>>;

beforeAll(async () => {
  await receiver.start();
  await database.create({ migrated: false });
  role = await database.createBackendRole();
  await runMigrations({ DATABASE_URL: database.url });
  const name = new URL(database.url).pathname.slice(1);
  for (const setting of settings) await database.query(`ALTER DATABASE ${name} SET ${setting}`);
  const WEBHOOK_SECRET = [`whsec_${Buffer.alloc(32, 7).toString('base64')}`];
  const webhooks = { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET };
  await backend.start({ DATABASE_URL: role.url, PRIVACY_REQUESTS: 'record', ...webhooks });
});
afterAll(async () => {
  await backend.stop();
  await receiver.stop();
  await role.drop();
  await database.drop();
});

test('calls and webhooks work with any settings of the database', async () => {
  expect(await backend.request('GET', '/readyz')).toMatchObject({ status: 200 });
  expect(await backend.callStatuses()).toEqual(successOfAllCalls);
  const email = anEmail();
  const signups = await Promise.all(Array.from({ length: 20 }, () => backend.signUp({ email })));
  expect(new Set(signups.map(({ status }) => status))).toEqual(new Set([201]));
  const open = "SELECT FROM public.outbox_event WHERE status <> 'delivered'";
  await eventually(async () => expect(await database.query(open)).toEqual([]));
  expect(receiver.deliveries.length).toBeGreaterThan(4);
});

test('concurrent releases work with any settings of the database', async () => {
  const store = new Store(database.url);
  const publish = (version: string) =>
    store.change(async (change) => {
      const number = ((await change.lock()).get('mf-legal')?.number ?? 0) + 1;
      await change.insertRelease({ remote: 'mf-legal', version, manifest: '{}' }, [{ hash: version, content }]);
      const none = { canary: null, percent: null, heldBy: null, heldByOperator: false };
      const state = { remote: 'mf-legal', number, action: 'publish', active: version, ...none, by: 'ci', why: '' };
      await change.insertState(state as Omit<State, 'at'>);
    });
  const content = Buffer.from('\\\0\xff', 'latin1');
  await Promise.all([publish('1'), publish('2')]);
  expect((await store.read()).rows.map(({ number }) => number)).toEqual([1, 2]);
  expect(await store.blob('1')).toEqual(content);
  await store.close();
});

test('a backend whose role has another DateStyle is not ready', async () => {
  await database.query(`ALTER ROLE ${role.name} SET DateStyle = 'German'`);
  const other = await new TestBackend().start({ DATABASE_URL: role.url });
  const { status, body } = await other.request<{ reason: string }>('GET', '/readyz');
  await other.stop();
  expect([status, body.reason]).toEqual([503, expect.stringMatching(/^DateStyle is “German, DMY”, not ISO: run /)]);
});
