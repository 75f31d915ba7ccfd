import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createShellRole, queryOnce } from './database-roles.ts';
import { startPostgres } from './postgres.ts';
import { migrate } from './site.ts';

/** Starts a migrated PostgreSQL, which takes seconds. */
export async function startReleasesDatabase() {
  const folder = path.join(tmpdir(), `daybook-releases-test-${randomUUID()}`);
  const settings = { fsync: 'off', full_page_writes: 'off' };
  const server = await startPostgres({ folder, persistent: false, settings });
  try {
    await migrate(server.url);
    return { ownerUrl: server.url, shellUrl: await createShellRole(server.url), stop: server.stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Creates a migrated database on a server whose roles exist already; returns its URL with the shell server's role. */
export async function createReleasesDatabase(ownerUrl: string, shellUrl: string): Promise<string> {
  const name = await createDatabase(ownerUrl);
  await migrate(Object.assign(new URL(ownerUrl), { pathname: name }).href);
  return Object.assign(new URL(shellUrl), { pathname: name }).href;
}

/** Copies a database with its releases, to which nothing is connected; returns the copy's URL with the same role. */
export async function copyReleasesDatabase(ownerUrl: string, templateUrl: string): Promise<string> {
  const pathname = await createDatabase(ownerUrl, ` TEMPLATE ${new URL(templateUrl).pathname.slice(1)}`);
  return Object.assign(new URL(templateUrl), { pathname }).href;
}

async function createDatabase(ownerUrl: string, template = ''): Promise<string> {
  const name = `releases_${randomUUID().replaceAll('-', '')}`;
  await queryOnce(ownerUrl, `CREATE DATABASE ${name}${template}`);
  return name;
}
