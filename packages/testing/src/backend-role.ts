import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { root } from './workspaces.ts';

/**
 * Creates the role that the backend logs in as, with the SQL of the deployments, or gives an existing one a new password.
 *
 * @param databaseUrl address with the role that owns the tables
 * @param name roles belong to the whole server, so tests that share one need names of their own
 * @returns the database's address with the backend's role
 */
export async function createBackendRole(databaseUrl: string, name = 'backend'): Promise<string> {
  const sql = readFileSync(path.join(root, 'deploy/postgres/backend-role.sql'), 'utf8').replaceAll(
    /\bbackend\b/g,
    name,
  );
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
