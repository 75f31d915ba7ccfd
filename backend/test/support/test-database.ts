import { randomUUID } from 'node:crypto';
import { eventually } from '@daybook/testing/eventually';
import pg from 'pg';
import { runMigrations } from '../../src/database/index.ts';

export interface TestDatabase {
  readonly url: string;
  /** Runs a statement and returns its rows, with the database's column names. */
  query<Row extends object>(statement: string, values?: unknown[]): Promise<Row[]>;
  /** Runs a statement in a transaction on its own connection, and holds its locks until `end()`. */
  lock(statement: string, values?: unknown[]): Promise<pg.Client>;
  /** Waits until so many statements wait for locks. */
  waiting(count: number): Promise<void>;
  drop(): Promise<void>;
}

/** Creates a database on the test server, empty unless `migrated`. */
export async function createTestDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (serverUrl === undefined) throw new Error('TEST_DATABASE_URL is missing; the global setup sets it.');
  const name = `backend_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  if (migrated) await runMigrations({ DATABASE_URL: url });
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const waits = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
  return {
    url,
    query: async (statement, values) => (await pool.query(statement, values)).rows,
    lock: async (statement, values) => {
      const holder = new pg.Client(url);
      await holder.connect();
      await holder.query('BEGIN');
      await holder.query(statement, values);
      return holder;
    },
    waiting: async (count) => {
      await eventually(async () => {
        const { rowCount } = await pool.query(waits);
        if (rowCount !== count) throw new Error(`${rowCount} statements wait for locks instead of ${count}.`);
      });
    },
    drop: async () => {
      await pool.end();
      await onServer(serverUrl, `DROP DATABASE ${name}`);
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statement);
  await client.end();
}
