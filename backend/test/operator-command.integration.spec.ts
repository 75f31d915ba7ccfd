import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { runOperator, startOperator } from './support/operator.ts';
import { createTestDatabase, type TestDatabase } from './support/test-database.ts';

jest.setTimeout(60_000);

let empty: TestDatabase;
beforeAll(async () => {
  empty = await createTestDatabase({ migrated: false });
});
afterAll(() => empty?.drop());

describe('the operator command', () => {
  test.each([[], ['help'], ['--help']])('%s tells every command, and needs no database for it', async (...words) => {
    const { exitCode, output, errors } = await startOperator(words, {}).ended;
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    expect(output.match(/^ {2}operator [a-z-]+(?: [a-z]+)?/gm)).toEqual([
      '  operator stats',
      '  operator subscribers export',
      '  operator subscribers show',
      '  operator subscribers forget',
      '  operator events list',
      '  operator events replay',
      '  operator privacy-requests list',
      '  operator privacy-requests done',
    ]);
  });

  test('each command tells its options', async () => {
    const { exitCode, output } = await startOperator(['subscribers', 'export', '--help'], {}).ended;
    expect(exitCode).toBe(0);
    for (const option of ['--format', '--since', '--status', '--output', '--force']) expect(output).toContain(option);
  });

  test.each([
    ['There is no command “reset”. See: operator help', ['reset']],
    [
      'operator subscribers has export, show, and forget; write one of them. See: operator help',
      ['subscribers', '--json'],
    ],
    [
      'There is no “subscribers delete”; operator subscribers has export, show, and forget. See: operator help',
      ['subscribers', 'delete'],
    ],
    ['There is no command “toString”. See: operator help', ['toString']],
    ["Unknown option '--all'. See: operator stats --help", ['stats', '--all']],
    [
      "Unknown option '-x'. An address that begins with - goes after --. See: operator subscribers show --help",
      ['subscribers', 'show', '-x@example.com'],
    ],
    ["Option '--days <value>' argument missing. See: operator stats --help", ['stats', '--days']],
    ['operator stats does not take “today”. See: operator stats --help', ['stats', 'today']],
    ['“ada” is no e-mail address. See: operator subscribers show --help', ['subscribers', 'show', 'ada']],
    ['--force goes with --output. See: operator subscribers export --help', ['subscribers', 'export', '--force']],
    [
      '--format must be csv or json, not “xml”. See: operator subscribers export --help',
      ['subscribers', 'export', '--format', 'xml'],
    ],
    [
      '--status must be completed, unfinished, suspected, or unsubscribed, not “all”. See: operator subscribers export --help',
      ['subscribers', 'export', '--status', 'all'],
    ],
    [
      '--due must be a day such as 2026-12-01, or a number of days such as 7, not “soon”. See: operator privacy-requests list --help',
      ['privacy-requests', 'list', '--due', 'soon'],
    ],
    [
      '“7” is no reference number, such as K7QM-3XTA-9VD2. See: operator privacy-requests done --help',
      ['privacy-requests', 'done', '7'],
    ],
    ['Write either ids or --dead. See: operator events replay --help', ['events', 'replay', '--dead', '7']],
  ])('ends with code 2 before it looks for a database: %s', async (message, parameters) => {
    const { exitCode, output, errors } = await startOperator(parameters, {}).ended;
    expect({ exitCode, output, errors }).toEqual({ exitCode: 2, output: '', errors: `${message}\n` });
  });

  test.each([
    ['There is no database to work on. Set DATABASE_URL or DATABASE_URL_FILE; .*start the site first', {}],
    ['DATABASE_URL must be an address such as', { DATABASE_URL: 'mysql://x' }],
    ['The database at DATABASE_URL cannot be reached: ', { DATABASE_URL: 'postgres://127.0.0.1:1/x' }],
  ])('ends with code 1 and one line without a database: %s', async (message, environment) => {
    const { exitCode, output, errors } = await startOperator(['stats'], environment as Record<string, string>).ended;
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: '' });
    expect(errors).toMatch(new RegExp(`^.*${message}.*\\n$`));
  });

  test('ends with its code where nobody reads its errors', async () => {
    const { child } = startOperator(['reset'], {});
    child.stderr?.destroy();
    expect(await once(child, 'exit')).toEqual([2, null]);
  });

  test('asks for the migrations where they were not run', async () => {
    const { exitCode, errors } = await runOperator(empty, ['stats']);
    expect(exitCode).toBe(1);
    expect(errors).toMatch(/^The database at DATABASE_URL is not of this version: .+ Run its migrations: .+\n$/);
  });

  test('finds the database by a file, as containers give secrets', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'daybook-operator-'));
    const file = join(folder, 'database-url');
    writeFileSync(file, `${empty.url}\n`);
    const { errors } = await startOperator(['stats'], { DATABASE_URL_FILE: file }).ended;
    expect(errors).toContain('is not of this version');
    rmSync(folder, { recursive: true });
  });
});
