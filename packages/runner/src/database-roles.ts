import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { root } from './workspaces.ts';

/** Creates the roles with the SQL of the deployments, and gives one of them a new password; returns its URL. */
async function createRole(databaseUrl: string, name: string, sql: string): Promise<string> {
  const password = randomBytes(24).toString('hex');
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query(`${sql} ALTER ROLE ${name} PASSWORD '${password}'`);
  } finally {
    await client.end();
  }
  return Object.assign(new URL(databaseUrl), { username: name, password }).href;
}

const rolesSql = () => readFileSync(path.join(root, 'deploy/postgres/roles.sql'), 'utf8');

/**
 * Creates the role that the backend logs in as, or gives an existing one a new password.
 *
 * @param databaseUrl URL with the role that owns the tables
 * @param name roles belong to the whole server, so tests that share one need names of their own
 * @returns the database's URL with the backend's role
 */
export const createBackendRole = (databaseUrl: string, name = 'backend'): Promise<string> =>
  createRole(databaseUrl, name, rolesSql().replaceAll(/\bbackend\b/g, name));

/**
 * Creates the role that the shell server logs in as, or gives the existing one a new password. Migrations grant its
 * privileges by name, so tests that share a server can't have one each.
 *
 * @param databaseUrl URL with the role that owns the tables
 * @returns the database's URL with the shell server's role
 */
export const createShellRole = (databaseUrl: string): Promise<string> => createRole(databaseUrl, 'shell', rolesSql());
