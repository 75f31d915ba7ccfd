import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { root } from './workspaces.ts';

/** Creates the roles with the SQL of the deployments, and gives one of them a new password; returns its URL. */
async function createRole(ownerUrl: string, name: string, of = name): Promise<string> {
  const sql = readFileSync(path.join(root, 'deploy/postgres/roles.sql'), 'utf8').replaceAll(
    RegExp(`\\b${of}\\b`, 'g'),
    name,
  );
  const password = randomBytes(24).toString('hex');
  const client = new pg.Client(ownerUrl);
  await client.connect();
  await client.query(`${sql} ALTER ROLE ${name} PASSWORD '${password}'`).finally(() => client.end());
  return Object.assign(new URL(ownerUrl), { username: name, password }).href;
}

/**
 * Creates the role of the backend; returns the database's URL with it.
 *
 * @param name roles belong to the whole server, so tests that share one need names of their own
 */
export const createBackendRole = (ownerUrl: string, name = 'backend'): Promise<string> =>
  createRole(ownerUrl, name, 'backend');

/** Creates the role of the shell server, whose name the migrations know; returns the database's URL with it. */
export const createShellRole = (ownerUrl: string): Promise<string> => createRole(ownerUrl, 'shell');
