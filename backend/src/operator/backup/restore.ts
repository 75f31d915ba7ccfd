import { existsSync } from 'node:fs';
import type { DataSource } from 'typeorm';
import { runMigrations } from '../../database/index.ts';
import { type Command, print, type Workplace } from '../command-line/command.ts';
import { OperatorError } from '../command-line/errors.ts';
import { countOf } from '../output/printable.ts';
import { checkProgram, connectionOf, queueSchema, runProgram } from './postgres-programs.ts';

const options = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges', '--no-password'];

export const restore: Command = {
  name: 'restore',
  summary: 'a database from the file of a backup, by pg_restore',
  words: ['<file>'],
  options: { force: { type: 'boolean' } },
  help: [
    '  --force   replace everything in a database that is not empty',
    '',
    'In one transaction: it is restored as a whole, or left as it was. Stop the backends before, as far as you can: what',
    'is signed up meanwhile is replaced too. The migrations are run afterwards, for the backup may be older than this',
    'version. Forget again whom you forgot since it was made: operator subscribers forget.',
    'pg_restore is found by PATH, or in the folder that PG_BIN names; its version must be that of the server or newer.',
  ],
  run: async (given, workplace) => {
    const [file = ''] = given.words;
    if (!existsSync(file)) throw new OperatorError(`There is no file ${file}.`);
    const dataSource = await workplace.connect();
    await checkProgram('pg_restore', dataSource);
    const inBackup = await tablesOfBackup(file, workplace.stop);
    const before = await tablesOf(dataSource);
    if (before.length > 0) refuseOrReplace(before, inBackup, given.has('force'));
    await restoreAll(file, before.length > 0, workplace);
    const migrations = await runMigrations(workplace.environment());
    const [{ count }] = await dataSource.query('SELECT count(*) AS count FROM subscriber');
    print(workplace, [
      `Restored ${file}: ${countOf(count, 'subscriber')}.`,
      ...migrations.map((name) => `Ran migration ${name}.`),
      'Whom you forgot since the backup was made is there again: operator subscribers forget <address>.',
    ]);
  },
};

async function restoreAll(file: string, clean: boolean, { environment, stop }: Workplace): Promise<void> {
  const { address, environment: secret } = connectionOf(environment().DATABASE_URL);
  const parameters = [...options, ...(clean ? ['--clean', '--if-exists'] : []), `--dbname=${address}`, file];
  const { code, errors } = await runProgram('pg_restore', parameters, secret, stop).ended;
  if (code !== 0) throw new OperatorError(`${file} could not be restored; the database is as it was:\n${errors}`);
}

/** The tables of a database that a backup would have, with their schemas. */
async function tablesOf(dataSource: DataSource): Promise<readonly string[]> {
  const rows = await dataSource.query<{ name: string }[]>(`
    SELECT schemaname || '.' || tablename AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema', '${queueSchema}') ORDER BY 1
  `);
  return rows.map(({ name }) => name);
}

/** @throws OperatorError where the file is no backup */
async function tablesOfBackup(file: string, stop: AbortSignal): Promise<ReadonlySet<string>> {
  const { code, output, errors } = await runProgram('pg_restore', ['--list', file], {}, stop).ended;
  if (code !== 0) throw new OperatorError(`${file} cannot be read as a backup:\n${errors}`);
  // 3541; 1259 16432 TABLE public subscriber daybook
  const lines = output.matchAll(/^\d+; \d+ \d+ TABLE (?<schema>\S+) (?<name>\S+) /gm);
  return new Set(Array.from(lines, ({ groups }) => `${groups?.schema}.${groups?.name}`));
}

function refuseOrReplace(before: readonly string[], inBackup: ReadonlySet<string>, force: boolean): void {
  if (!force)
    throw new OperatorError(
      `The database is not empty: it has ${countOf(before.length, 'table')}. Name an empty one in DATABASE_URL, or write --force to replace everything in it.`,
    );
  const unknown = before.filter((table) => !inBackup.has(table));
  if (unknown.length > 0)
    throw new OperatorError(
      `The database has what the backup does not know of, and would be left between two versions: ${unknown.join(', ')}. Restore into an empty database.`,
    );
}
