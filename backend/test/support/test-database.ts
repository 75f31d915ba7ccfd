import { randomUUID } from 'node:crypto';
import type { EventType } from '@daybook/contract/events';
import { createBackendRole } from '@daybook/testing/database-roles';
import { eventually } from '@daybook/testing/eventually';
import pg from 'pg';
import { runMigrations } from '../../src/database/index.ts';
import type { EventStatus } from '../../src/outbox/index.ts';

export interface StoredEvent {
  readonly id: string;
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
  readonly next_attempt_at: Date;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly status: EventStatus;
  readonly ended_at: Date | null;
}

const uniqueName = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '')}`;

/** What this test's own connections use, whatever the settings of the database are. */
const options = '-c search_path=public -c DateStyle=ISO';

/** A database on the test server; `create` creates it. */
export class TestDatabase {
  url = '';
  private pool!: pg.Pool;

  /** Creates the database, empty unless `migrated`. */
  async create({ migrated = true } = {}): Promise<this> {
    const name = uniqueName('backend_test');
    await onServer(`CREATE DATABASE ${name}`);
    this.url = Object.assign(new URL(serverUrl()), { pathname: `/${name}` }).href;
    if (migrated) await runMigrations({ DATABASE_URL: this.url });
    this.pool = new pg.Pool({ connectionString: this.url, max: 2, options });
    return this;
  }

  /** Runs a statement and returns its rows, with the database's column names. */
  async query<Row extends object = Record<string, unknown>>(statement: string, values?: unknown[]): Promise<Row[]> {
    return (await this.pool.query<Row>(statement, values)).rows;
  }

  /** Returns the events whose data contains the passed fields, oldest first. */
  eventsWith(data: object = {}): Promise<StoredEvent[]> {
    return this.query('SELECT * FROM outbox_event WHERE data @> $1 ORDER BY id', [JSON.stringify(data)]);
  }

  /** Returns all rows of all tables but the audit log. */
  async everything(): Promise<readonly object[][]> {
    const tables = await this.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND tablename <> 'audit_log' ORDER BY 1`,
    );
    return Promise.all(tables.map(({ name }) => this.query(`SELECT * FROM ${name}`)));
  }

  /** Removes what the site has stored. DELETE, because TRUNCATE can deadlock with the backend's background work. */
  async clear(): Promise<void> {
    const tables = ['waitlist_entry', 'subscriber', 'emergency_notice', 'privacy_request', 'outbox_event'];
    for (const table of tables) await this.query(`DELETE FROM ${table}`);
  }

  /** Runs a statement in a transaction on its own connection, and holds its locks until `end()`. */
  async lock(statement: string, values?: unknown[]): Promise<pg.Client> {
    const holder = await this.connect();
    await holder.query('BEGIN');
    await holder.query(statement, values);
    return holder;
  }

  async connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.url, options });
    await client.connect();
    return client;
  }

  /** Waits until so many statements wait for locks. */
  async waiting(count: number): Promise<void> {
    const waits = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await eventually(async () => {
      const { length } = await this.query(waits);
      if (length !== count) throw new Error(`${length} statements wait for locks instead of ${count}.`);
    });
  }

  /** Creates the backend's role under a name of its own. Returns the database's URL with it; `drop` removes it. */
  async createBackendRole() {
    const name = uniqueName('backend');
    const url = await createBackendRole(this.url, name);
    return { name, url, drop: () => this.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`) };
  }

  async drop(): Promise<void> {
    await this.pool.end();
    await onServer(`DROP DATABASE ${new URL(this.url).pathname.slice(1)}`);
  }
}

/** Set by the global setup. */
const serverUrl = () => process.env.TEST_DATABASE_URL ?? '';

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client(serverUrl());
  await client.connect();
  await client.query(statement);
  await client.end();
}
