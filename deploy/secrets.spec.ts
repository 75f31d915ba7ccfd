import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { remotes, root } from '@daybook/testing/workspaces';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Tokens } from '../shell/server/publish/tokens.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs deploy/secrets.sh, as the service of the stack does. */
const run = (variables: Readonly<Record<string, string>> = {}) =>
  execFileSync('sh', [path.join(root, 'deploy/secrets.sh'), folder, ...remotes], {
    env: { PATH: process.env.PATH, ...variables },
    encoding: 'utf8',
    stdio: 'pipe',
  });
const give = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const reader = (file: string) => read(`readers/${file}`);

test('missing secrets are made once, and each part gets only its own', () => {
  run();
  const made = readdirSync(folder).filter((name) => name !== 'readers');
  const before = made.map(read);
  expect(new Set(before).size).toBe(made.length);
  for (const name of made) expect([name, statSync(path.join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
  run();
  expect(made.map(read)).toEqual(before);
  const filesOf = (part: string) => readdirSync(`${folder}/readers/${part}`).sort().join(' ');
  expect(filesOf('backend')).toBe('audit-key cookie-secret database-url metrics-token webhook-secret');
  expect(filesOf('shell')).toBe('metrics-token operator-token releases-database-url tokens');
  expect(filesOf('backup')).toBe('backup-passphrase');
  expect(filesOf('grafana')).toBe('grafana-password reports-password');
  for (const remote of remotes) expect(filesOf(remote)).toBe('release-token');
  // Only root reaches them on the machine; a container gets the folder of its part.
  expect(statSync(path.join(folder, 'readers')).mode & 0o777).toBe(0o700);
});

test('a database elsewhere is used, and its owner for migrations', () => {
  for (const name of ['database', 'releases-database', 'database-owner'])
    give(`${name}-url`, `postgres://${name}@db/x`);
  run();
  expect(reader('backend/database-url')).toBe('postgres://database@db/x');
  expect(reader('shell/releases-database-url')).toBe('postgres://releases-database@db/x');
  expect(reader('postgres/database-url')).toBe('postgres://database-owner@db/x');
});

test('a changed file reaches its readers, and a removed one leaves them', () => {
  run();
  give('pgbackrest.conf', '[global]\nrepo1-type=s3\n');
  run();
  expect(reader('backup/pgbackrest.conf')).toBe('[global]\nrepo1-type=s3\n');
  rmSync(path.join(folder, 'pgbackrest.conf'));
  run();
  expect(readdirSync(path.join(folder, 'readers/backup'))).toEqual(['backup-passphrase']);
});

test('an unusable or missing secret is an error that says what to do', () => {
  const REQUIRED = 'cookie-secret audit-key';
  expect(() => run({ REQUIRED })).toThrow('SECRETS_FOLDER: cookie-secret is missing. Put back your copy');
  give('cookie-secret', 'short');
  expect(() => run()).toThrow('cookie-secret has fewer than 24 characters');
  give('backend-password', 'with/slash'.repeat(4));
  expect(() => run()).toThrow('may have only letters, digits');
});

test('the shell server has the hash of each token, also of teams that release themselves', () => {
  give('tokens', `# ours\nlegal-ci mf-legal ${'a'.repeat(64)}`);
  run();
  const tokens = new Tokens(path.join(folder, 'readers/shell/tokens'));
  for (const remote of remotes) expect(tokens.find(reader(`${remote}/release-token`))?.remotes).toEqual([remote]);
  expect(tokens.find(read('operator-token'))).toMatchObject({ name: 'operator', remotes: '*' });
  give('mf-legal.token', '');
  run();
  expect(reader('shell/tokens').match(/^.* mf-legal .*$/gm)).toEqual([`legal-ci mf-legal ${'a'.repeat(64)}`]);
});
