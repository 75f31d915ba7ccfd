import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createBackendRole } from './support/backend-role.ts';
import { runOperator, startOperator } from './support/operator.ts';
import { useDatabase } from './support/use-backend.ts';

const empty = useDatabase({ migrated: false });
const migrated = useDatabase();

describe('the operator command', () => {
  test.each([['help'], ['--help']])('%s lists every command without a database', async (...words) => {
    const { exitCode, output, errors } = await runOperator({}, words);
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    for (const command of ['stats', 'subscribers', 'events', 'privacy-requests'])
      expect(output).toContain(`  ${command}`);
  });

  test('--help of a command lists its options', async () => {
    const { exitCode, output } = await runOperator({}, ['subscribers', 'export', '--help']);
    expect(exitCode).toBe(0);
    for (const option of ['--format', '--since', '--status', '--output']) expect(output).toContain(option);
  });

  test.each([
    ["Unknown command 'reset'", ['reset'], 'operator'],
    ["Unknown command 'delete'", ['subscribers', 'delete'], 'operator subscribers'],
    ["Unknown option '--all'", ['stats', '--all'], 'operator stats'],
    ["Option '--days <number>' argument missing", ['stats', '--days'], 'operator stats'],
    [
      "Option '--days <number>' argument '0' is invalid. It must be a whole number from 1 to 366.",
      ['stats', '--days', '0'],
      'operator stats',
    ],
    [
      "Command-argument value 'ada' is invalid for argument 'address'. It is not an e-mail address.",
      ['subscribers', 'show', 'ada'],
      'operator subscribers show',
    ],
    [
      "Option '--format <format>' argument 'xml' is invalid. Allowed choices are csv, json.",
      ['subscribers', 'export', '--format', 'xml'],
      'operator subscribers export',
    ],
    ['Use either ids or --dead.', ['events', 'replay', '--dead', randomUUID()], 'operator events replay'],
  ])('exits with code 2 before connecting to a database: %s', async (message, parameters, command) => {
    const { exitCode, output, errors } = await runOperator({}, parameters);
    expect({ exitCode, output, errors }).toEqual({
      exitCode: 2,
      output: '',
      errors: `${message}\nSee: ${command} --help\n`,
    });
  });

  test.each([
    ['No database is configured. Set DATABASE_URL or DATABASE_URL_FILE; .*start the site first', {}],
    ['DATABASE_URL: must be an address such as', { url: 'mysql://x' }],
    ['The database at DATABASE_URL cannot be reached: ', { url: 'postgres://127.0.0.1:1/x' }],
  ])('exits with code 1 and a hint without a database: %s', async (message, database) => {
    const { exitCode, output, errors } = await runOperator(database, ['stats']);
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: '' });
    expect(errors).toMatch(new RegExp(`${message}.*\\n$`));
  });

  test('keeps its exit code when standard error is closed', async () => {
    const { child } = startOperator(['reset'], {});
    child.stderr?.destroy();
    expect(await once(child, 'exit')).toEqual([2, null]);
  });

  test('exits with code 1 and a hint if migrations are pending', async () => {
    const { exitCode, errors } = await runOperator(empty, ['stats']);
    expect(exitCode).toBe(1);
    expect(errors).toMatch(/^The database at DATABASE_URL has another schema version: .+ Run the migrations: .+\n$/);
  });

  test('exits with code 1 and a hint if its role lacks connections or a privilege', async () => {
    const role = await createBackendRole(migrated);
    await migrated.query(`ALTER ROLE ${role.name} CONNECTION LIMIT 0`);
    const full = await runOperator(role, ['stats']);
    await migrated.query(`ALTER ROLE ${role.name} CONNECTION LIMIT -1; REVOKE INSERT ON audit_log FROM ${role.name}`);
    const unprivileged = await runOperator(role, ['subscribers', 'export', '--by', 'Ann']);
    await role.drop();
    expect([full.exitCode, unprivileged.exitCode]).toEqual([1, 1]);
    expect(full.errors).toMatch(/^The database at DATABASE_URL is out of resources: too many connections .+\n$/);
    expect(unprivileged.errors).toMatch(
      /^The role in DATABASE_URL lacks a privilege: permission denied for table audit_log\. .+: docker compose run --rm roles\.\n$/,
    );
  });

  test('reads DATABASE_URL_FILE, the form of secrets in containers', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'daybook-operator-'));
    const file = join(folder, 'database-url');
    writeFileSync(file, `${empty.url}\n`);
    const { errors } = await startOperator(['stats'], { DATABASE_URL_FILE: file }).ended;
    expect(errors).toContain('has another schema version');
    rmSync(folder, { recursive: true });
  });
});
