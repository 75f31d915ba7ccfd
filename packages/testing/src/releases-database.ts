import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createShellRole } from './database-roles.ts';
import { startPostgres } from './postgres.ts';
import { migrate } from './site.ts';

export type ReleasesDatabase = Awaited<ReturnType<typeof startReleasesDatabase>>;

/**
 * Starts a migrated PostgreSQL of its own for a spec file, which may kill it. Takes seconds: call it in `beforeAll`, and
 * `empty()` before each test.
 */
export async function startReleasesDatabase() {
  const folder = path.join(tmpdir(), `daybook-releases-test-${randomUUID()}`);
  // Not synchronous_commit: a kill would lose what was committed right before.
  const settings = { fsync: 'off', full_page_writes: 'off' };
  const server = await startPostgres({ folder, persistent: false, settings });
  try {
    await migrate(server.url);
    const shellUrl = await createShellRole(server.url);

    /** Runs a statement as the owner of the tables, on a connection of its own; returns the rows. */
    async function query<Row extends object>(statement: string, values?: unknown[]): Promise<Row[]> {
      const client = new pg.Client(server.url);
      await client.connect();
      try {
        return (await client.query(statement, values)).rows;
      } finally {
        await client.end();
      }
    }

    return {
      /** Address with the owner of the tables. */
      ownerUrl: server.url,
      /** Address with the role of the shell server: its `RELEASES_DATABASE_URL`. */
      shellUrl,
      query,
      /** Empties all tables of the schema `releases`. */
      empty: async () => {
        const tables = await query<{ name: string }>(
          "SELECT oid::regclass AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'releases'::regnamespace",
        );
        await query(`TRUNCATE ${tables.map(({ name }) => name).join(', ')}`);
      },
      /** Kills the server, which ends all connections. */
      kill: server.kill,
      /** Restarts it after `kill()`, on the same port. */
      resume: server.resume,
      stop: server.stop,
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

const template = 'releases_template';

/** Creates a migrated database from which `copyReleasesDatabase` makes others. */
export async function createReleasesTemplate(ownerUrl: string): Promise<void> {
  await onServer(ownerUrl, `CREATE DATABASE ${template}`);
  await migrate(Object.assign(new URL(ownerUrl), { pathname: template }).href);
}

/**
 * Creates an empty releases database on a server that has a template; much faster than another server.
 *
 * @param ownerUrl address with the role that owns the template
 * @param shellUrl address with the role of the shell server
 * @returns the new database's address with that role
 */
export async function copyReleasesDatabase(ownerUrl: string, shellUrl: string): Promise<string> {
  const name = `releases_${randomUUID().replaceAll('-', '')}`;
  await onServer(ownerUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return Object.assign(new URL(shellUrl), { pathname: name }).href;
}

async function onServer(ownerUrl: string, statement: string): Promise<void> {
  const client = new pg.Client(ownerUrl);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
