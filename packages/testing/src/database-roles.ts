import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { root } from './workspaces.ts';

/** Runs a statement on a connection of its own; returns the rows. */
export async function queryOnce<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  return client
    .query(statement)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

/** Creates the roles with the SQL of the deployments, and gives one of them a new password; returns its URL. */
async function createRole(ownerUrl: string, name: string, of = name): Promise<string> {
  const file = path.join(root, 'deploy/postgres/roles.sql');
  const sql = readFileSync(file, 'utf8').replaceAll(RegExp(`\\b${of}\\b`, 'g'), name);
  const password = randomBytes(24).toString('hex');
  await queryOnce(ownerUrl, `${sql} ALTER ROLE ${name} PASSWORD '${password}'`);
  return Object.assign(new URL(ownerUrl), { username: name, password }).href;
}

/** Creates the role of the backend, by a name of its own on a shared server; returns the database's URL with it. */
export const createBackendRole = (ownerUrl: string, name = 'backend'): Promise<string> =>
  createRole(ownerUrl, name, 'backend');

/** Creates the role of the shell server, whose name the migrations know; returns the database's URL with it. */
export const createShellRole = (ownerUrl: string): Promise<string> => createRole(ownerUrl, 'shell');
