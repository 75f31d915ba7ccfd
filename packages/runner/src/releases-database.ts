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
      /** URL with the owner of the tables. */
      ownerUrl: server.url,
      /** URL with the role of the shell server: its `RELEASES_DATABASE_URL`. */
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

/**
 * Creates a migrated database on a server whose roles exist already.
 *
 * @param ownerUrl URL with the role that owns its tables
 * @param shellUrl URL with the role of the shell server
 * @returns the new database's URL with that role
 */
export async function createReleasesDatabase(ownerUrl: string, shellUrl: string): Promise<string> {
  const name = await createDatabase(ownerUrl);
  await migrate(Object.assign(new URL(ownerUrl), { pathname: name }).href);
  return Object.assign(new URL(shellUrl), { pathname: name }).href;
}

/**
 * Copies a database that nothing is connected to, with its releases; much faster than to fill another one.
 *
 * @param templateUrl its URL with the role of the shell server
 * @returns the copy's URL with that role
 */
export async function copyReleasesDatabase(ownerUrl: string, templateUrl: string): Promise<string> {
  const template = new URL(templateUrl).pathname.slice(1);
  return Object.assign(new URL(templateUrl), { pathname: await createDatabase(ownerUrl, ` TEMPLATE ${template}`) })
    .href;
}

async function createDatabase(ownerUrl: string, template = ''): Promise<string> {
  const name = `releases_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client(ownerUrl);
  await client.connect();
  await client.query(`CREATE DATABASE ${name}${template}`).finally(() => client.end());
  return name;
}
