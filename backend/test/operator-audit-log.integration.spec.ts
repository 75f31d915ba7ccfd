import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { anAddress, signUp } from './support/factories.ts';
import { runOperator, startOperator } from './support/operator.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend();

const entries = async (...options: readonly string[]) =>
  JSON.parse((await runOperator(database, ['audit-log', '--json', ...options])).output);

test('commands that read or change personal data are recorded with their operator, and without addresses', async () => {
  const [email, id] = [anAddress(), randomUUID()];
  await signUp(backend, { email });
  const since = new Date().toISOString();
  const by = ['--by', 'Ann Müller'];
  for (const command of [
    ['subscribers', 'export', '--status', 'unfinished', ...by],
    ['subscribers', 'show', email, ...by],
    ['subscribers', 'forget', email, '--yes', ...by],
    ['events', 'replay', id, ...by],
    ['privacy-requests', 'list', '--due', '7', '--json', ...by],
    ['privacy-requests', 'done', 'K7QM-3XTA-9VD2', ...by],
    // Reads no addresses.
    ['stats'],
    ['events', 'list'],
  ])
    await runOperator(database, command);

  const recorded = await entries('--since', since);
  expect(recorded.map(({ action, details }: Record<string, unknown>) => [action, details])).toEqual([
    // Failed: there are no such event and request.
    ['privacy-requests done', { reference: 'K7QM-3XTA-9VD2' }],
    ['privacy-requests list', { due: 7, limit: 50 }],
    ['events replay', { ids: [id] }],
    ['subscribers forget', { event: true }],
    ['subscribers show', {}],
    ['subscribers export', { format: 'csv', status: 'unfinished' }],
  ]);
  for (const { operator, at } of recorded) {
    expect(operator).toBe('Ann Müller');
    expect(Date.parse(at)).toBeGreaterThanOrEqual(Date.parse(since) - 1_000);
  }
  expect(JSON.stringify(recorded)).not.toContain(email);
  const { output } = await runOperator(database, ['audit-log', '--limit', '1']);
  expect(output).toMatch(
    /^WHEN +OPERATOR +COMMAND +DETAILS\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Ann Müller {2}privacy-requests done {2}reference: K7QM-3XTA-9VD2\nThe newest 1 of [\d,]+ entries; more with --limit.\n$/,
  );
});

test('in a container, a recorded command requires a name, and does nothing without one', async () => {
  const environment = { DATABASE_URL: database.url, OPERATOR: '' };
  const before = await entries();
  const { exitCode, errors, output } = await startOperator(['subscribers', 'export'], environment).ended;
  expect({ exitCode, errors, output }).toEqual({
    exitCode: 2,
    errors: 'Name yourself, for the audit log: --by <name>\nSee: operator subscribers export --help\n',
    output: '',
  });
  expect(await entries()).toEqual(before);
  const named = await startOperator(['subscribers', 'export'], { ...environment, OPERATOR: 'Bob' }).ended;
  expect(named.exitCode).toBe(0);
  expect((await entries())[0]).toMatchObject({ operator: 'Bob', action: 'subscribers export' });
});

test('a name in OPERATOR that the log cannot have is rejected in one line, and nothing is done', async () => {
  const before = await entries();
  for (const OPERATOR of ['x'.repeat(61), ' ', 'Ann\u0007']) {
    const environment = { DATABASE_URL: database.url, OPERATOR };
    expect(await startOperator(['subscribers', 'export'], environment).ended).toEqual({
      exitCode: 2,
      errors:
        'OPERATOR, for the audit log: It must be a name of 1 to 60 characters, without control characters. Set it, or use --by <name>.\nSee: operator subscribers export --help\n',
      output: '',
    });
  }
  expect(await entries()).toEqual(before);
});

test('a name that could forge a line of the log is rejected', async () => {
  const { exitCode, errors } = await runOperator(database, ['subscribers', 'export', '--by', 'Ann\nBob']);
  expect(exitCode).toBe(2);
  expect(errors).toContain('It must be a name of 1 to 60 characters, without control characters.');
});

test('nobody changes or deletes an entry, not even the owner of the table', async () => {
  await runOperator(database, ['subscribers', 'export', '--by', 'Ann']);
  for (const statement of [`UPDATE audit_log SET operator = 'Eve'`, 'DELETE FROM audit_log', 'TRUNCATE audit_log'])
    await expect(database.query(statement)).rejects.toThrow('audit_log is append-only');
});
