import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { type ReleasesDatabase, startReleasesDatabase } from './releases-database.ts';

let database: ReleasesDatabase;

beforeAll(async () => {
  database = await startReleasesDatabase();
});

afterAll(() => database?.stop());

/** Runs a statement with the role of the shell server. */
async function asShell(statement: string): Promise<unknown[]> {
  const client = new pg.Client(database.shellUrl);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

test("the shell server's role logs in, and its rows survive a kill of the server until the database is emptied", async () => {
  await asShell("INSERT INTO releases.release (remote, version, description) VALUES ('mf-legal', '1', '{}')");
  await database.kill();
  await expect(asShell('SELECT 1')).rejects.toThrow('ECONNREFUSED');
  await database.resume();
  expect(await asShell('SELECT version FROM releases.release')).toEqual([{ version: '1' }]);
  await database.empty();
  expect(await asShell('SELECT version FROM releases.release')).toEqual([]);
});
