import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { remotes, root } from '@daybook/runner/workspaces';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { parseTokens, Tokens } from '../../shell/server/publish/tokens.ts';

// Which service can read which secret, and what makes them, in a shell on this machine.

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const compose = parse(readFileSync(path.join(root, 'docker-compose.yml'), 'utf8'), { merge: true, maxAliasCount: -1 });

/** Returns the volumes with secrets that a service mounts. */
const secretsOf = (service: string): string[] =>
  (compose.services[service].volumes as unknown[])
    .filter((volume) => typeof volume === 'string')
    .flatMap((volume) => /^(secrets-[\w-]+):/.exec(volume)?.[1] ?? []);

test('only the shell server reads the operator’s token, only migrations log in as owner', () => {
  const readers = (volume: string) =>
    Object.keys(compose.services).filter((name) => compose.services[name].volumes && secretsOf(name).includes(volume));
  expect(readers('secrets-operator').sort()).toEqual(['secrets', 'shell']);
  expect(readers('secrets-postgres').sort()).toEqual(['migrate', 'postgres', 'roles', 'secrets']);
  expect(readers('secrets-metrics').sort()).toEqual(['backend', 'prometheus', 'secrets', 'shell']);
  expect(readers('secrets-grafana').sort()).toEqual(['grafana', 'secrets']);
  expect(secretsOf('backend').sort()).toEqual(['secrets-backend', 'secrets-metrics']);
  expect(secretsOf('shell').sort()).toEqual(['secrets-metrics', 'secrets-operator', 'secrets-shell']);
  for (const remote of remotes) {
    expect(readers(`secrets-${remote}`).sort()).toEqual([remote, 'secrets']);
    expect(secretsOf(remote)).toEqual([`secrets-${remote}`]);
  }
});

const volumes = secretsOf('secrets').map((volume) => volume.replace('secrets-', ''));

/** Runs prepare-secrets.sh, with folders of this test as the container's. */
function prepareSecrets(variables: Readonly<Record<string, string>> = {}, ...words: readonly string[]): void {
  for (const each of [...volumes.map((volume) => `run/${volume}`), 'given', 'config'])
    mkdirSync(path.join(folder, each), { recursive: true });
  const script = readFileSync(path.join(root, 'deploy/secrets/prepare-secrets.sh'), 'utf8')
    .replaceAll('/run/secrets', `${folder}/run`)
    .replaceAll('/given', `${folder}/given`)
    .replaceAll('/config', `${folder}/config`);
  execFileSync('sh', ['-c', script, 'prepare-secrets.sh', ...words], {
    env: { PATH: process.env.PATH, ...variables },
    stdio: 'pipe',
  });
}
const secret = (file: string) => readFileSync(path.join(folder, 'run', file), 'utf8');
const give = (files: Readonly<Record<string, string>>, place = 'given') => {
  mkdirSync(path.join(folder, place), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, place, name), text);
};
const required = {
  'postgres-password': 'a1b2c3d4e5f6a7b8',
  'cookie-secret': 'c'.repeat(64),
  'audit-key': 'a'.repeat(64),
  'operator-token': 'o'.repeat(64),
  'backup-passphrase': 'b'.repeat(64),
  'webhook-secret': `whsec_${'d'.repeat(40)}`,
};

describe('the secrets of the compose stack', () => {
  test('are generated once, and differ', () => {
    prepareSecrets();
    const files = [
      'backend/audit-key',
      'operator/operator-token',
      'metrics/metrics-token',
      'grafana/grafana-password',
      'postgres/backend-password',
      'postgres/shell-password',
    ];
    const before = files.map(secret);
    expect(new Set(before).size).toBe(files.length);
    prepareSecrets();
    expect(files.map(secret)).toEqual(before);
    expect(secret('backend/database-url')).toBe(
      `postgres://backend:${secret('postgres/backend-password')}@postgres:5432/daybook`,
    );
    expect(secret('shell/releases-database-url')).toBe(
      `postgres://shell:${secret('postgres/shell-password')}@postgres:5432/daybook`,
    );
    expect(secret('postgres/database-url')).toBe(
      `postgres://daybook:${secret('postgres/postgres-password')}@postgres:5432/daybook`,
    );
    expect(secret('monitoring/postgres-password')).toBe(secret('postgres/monitoring-password'));
    expect(secret('grafana/reports-password')).toBe(secret('postgres/reports-password'));
    expect(readdirSync(path.join(folder, 'run/backend')).sort()).toEqual([
      'audit-key',
      'cookie-secret',
      'database-url',
      'webhook-secret',
    ]);
  });

  test('in a secrets folder of an earlier version, without those that can be generated', () => {
    give(required);
    prepareSecrets({ SECRETS_FOLDER: '/etc/daybook' });
    expect(secret('postgres/database-url')).toBe('postgres://daybook:a1b2c3d4e5f6a7b8@postgres:5432/daybook');
    expect(secret('metrics/metrics-token')).toMatch(/^[0-9a-f]{64}$/);
    give({ 'metrics-token': 'm'.repeat(32), 'grafana-password': 'g'.repeat(32) });
    prepareSecrets({ SECRETS_FOLDER: '/etc/daybook' });
    expect([secret('metrics/metrics-token'), secret('grafana/grafana-password')]).toEqual([
      'm'.repeat(32),
      'g'.repeat(32),
    ]);
  });

  test.each([
    [{}, 'postgres://one@db/x'],
    [{ 'database-owner-url': 'postgres://owner@db/x' }, 'postgres://owner@db/x'],
  ])('name a database elsewhere, its owner by %j', (files, ofMigrations) => {
    const ofServers = { 'database-url': 'postgres://one@db/x', 'releases-database-url': 'postgres://shell@db/x' };
    give({ ...required, ...ofServers, ...files });
    prepareSecrets({ SECRETS_FOLDER: '/etc/daybook' });
    expect(secret('backend/database-url')).toBe('postgres://one@db/x');
    expect(secret('shell/releases-database-url')).toBe('postgres://shell@db/x');
    expect(secret('postgres/database-url')).toBe(ofMigrations);
  });

  test.each([
    [{ 'cookie-secret': '' }, 'cookie-secret is missing or empty in /etc/daybook'],
    [{ 'audit-key': '\n' }, 'audit-key is missing or empty in /etc/daybook'],
    [{ 'database-url': 'postgres://one@db/x' }, 'releases-database-url is missing: the URL in database-url'],
  ])('are rejected with %j', (files, reason) => {
    give({ ...required, ...files });
    expect(() => prepareSecrets({ SECRETS_FOLDER: '/etc/daybook' })).toThrow(`SECRETS_FOLDER: ${reason}`);
  });
});

describe('deploy/rotate', () => {
  const prepare = (...words: readonly string[]) => prepareSecrets({ SECRETS_FOLDER: '/etc/daybook' }, ...words);
  const cookieSecret = () => secret('backend/cookie-secret');
  const [former, next] = ['c'.repeat(64), 'n'.repeat(64)];

  test('has backends accept a new cookie-secret before any signs with it', () => {
    give(required);
    prepare();
    prepare('--overlap', 'cookie-secret');
    expect(cookieSecret()).toBe(former);
    give({ 'cookie-secret': `${next},${former}\n` });
    prepare('--overlap', 'cookie-secret');
    expect(cookieSecret()).toBe(`${former},${next},${former}`);
    prepare('cookie-secret');
    expect(cookieSecret()).toBe(`${next},${former}`);
  });

  test('puts the former secrets back, those that were not there included, or deletes them', () => {
    give(required);
    prepare();
    const before = readdirSync(path.join(folder, 'run'), { recursive: true }).sort();
    prepare('save');
    give({ 'cookie-secret': next, 'pgbackrest.conf': '[global]' });
    prepare('cookie-secret', 'pgbackrest.conf');
    expect(secret('backup/pgbackrest.conf')).toBe('[global]');
    prepare('restore');
    expect(cookieSecret()).toBe(former);
    expect(readdirSync(path.join(folder, 'run'), { recursive: true }).sort()).toEqual(before);
    prepare('save');
    prepare('cookie-secret');
    prepare('discard');
    expect(cookieSecret()).toBe(next);
    expect(readdirSync(path.join(folder, 'run/backend')).sort()).toEqual([
      'audit-key',
      'cookie-secret',
      'database-url',
      'webhook-secret',
    ]);
  });

  test('says so where a secret of a trial is generated', () => {
    prepareSecrets();
    expect(() => prepareSecrets({}, 'cookie-secret')).toThrow(
      'SECRETS_FOLDER: is not set, so cookie-secret is generated',
    );
    prepareSecrets({}, 'tokens', 'mf-legal.token', 'metrics-token');
  });
});

describe('the tokens of teams and operators', () => {
  const tokenOf = (remote: string) => secret(`${remote}/release-token`);
  /** What the shell server reads. */
  const tokens = () => new Tokens(path.join(folder, 'run/shell/tokens'));
  const folderIsSet = { SECRETS_FOLDER: '/etc/daybook' };
  const elsewhere = `legal-ci mf-legal ${'a'.repeat(64)}\n`;

  test('are made once, and the shell server has their hashes', () => {
    prepareSecrets();
    const before = remotes.map(tokenOf);
    prepareSecrets();
    expect(remotes.map(tokenOf)).toEqual(before);
    expect(new Set(before).size).toBe(remotes.length);
    for (const remote of remotes) expect(tokens().find(tokenOf(remote))?.remotes).toEqual([remote]);
    expect(tokens().find(secret('operator/operator-token'))).toMatchObject({ name: 'operator', remotes: '*' });
  });

  test('are those of the secrets folder', () => {
    give({ ...required, 'mf-legal.token': `${'l'.repeat(30)}\n` });
    prepareSecrets(folderIsSet);
    expect(tokenOf('mf-legal')).toBe('l'.repeat(30));
    expect(tokens().find('l'.repeat(30))?.remotes).toEqual(['mf-legal']);
    expect(tokens().find('o'.repeat(64))?.remotes).toBe('*');
  });

  test('of a team that releases from elsewhere are not made for its container', () => {
    give({ ...required, tokens: `# ours\r\n${elsewhere}` });
    prepareSecrets(folderIsSet);
    expect(tokenOf('mf-legal')).toBe('');
    expect(tokens().remotes).toEqual(remotes);
    rmSync(path.join(folder, 'given/tokens'));
    prepareSecrets(folderIsSet);
    expect(tokens().find(tokenOf('mf-legal'))?.remotes).toEqual(['mf-legal']);
  });

  test('a malformed line is rejected, and nothing changes', () => {
    give(required);
    prepareSecrets(folderIsSet);
    const before = secret('shell/tokens');
    give({ tokens: 'legal-ci mf-legal none\n' });
    expect(() => prepareSecrets(folderIsSet)).toThrow('SECRETS_FOLDER: tokens has a line that is not <name> <remotes>');
    expect(secret('shell/tokens')).toBe(before);
  });
});

describe('deploy/swarm/deploy.sh', () => {
  /** Runs it in a copy of its files, with programs that print their options in place of Docker. */
  function deploy(settings: string, ...words: readonly string[]) {
    const copy = path.join(folder, 'clone');
    for (const each of ['deploy/swarm', 'deploy/postgres', 'bin'])
      mkdirSync(path.join(copy, each), { recursive: true });
    cpSync(path.join(root, 'deploy/swarm/stack.yml'), path.join(copy, 'deploy/swarm/stack.yml'));
    writeFileSync(path.join(copy, 'deploy/postgres/roles.sh'), 'roles');
    writeFileSync(path.join(copy, 'deploy/swarm/deploy.sh'), readFileSync(path.join(root, 'deploy/swarm/deploy.sh')));
    writeFileSync(path.join(copy, '.env'), settings);
    writeFileSync(path.join(copy, 'bin/docker'), '#!/bin/sh\necho "docker $*"\n', { mode: 0o755 });
    const env = { PATH: `${copy}/bin:${process.env.PATH}` };
    const { stdout, stderr, status } = spawnSync('sh', [path.join(copy, 'deploy/swarm/deploy.sh'), ...words], {
      env,
      encoding: 'utf8',
    });
    return { stdout, stderr, status };
  }

  test('makes the secrets that a folder lacks, once, also if only .env names the folder', () => {
    give(required, 'secrets');
    const settings = `SECRETS_FOLDER="${path.join(folder, 'secrets')}"\n`;
    expect(deploy(settings).stdout).toContain('database-owner-url.\n');
    const made = (name: string) => readFileSync(path.join(folder, 'secrets', name), 'utf8').trim();
    expect(made('database-url')).toBe(`postgres://backend:${made('backend-password')}@postgres:5432/daybook`);
    expect(made('releases-database-url')).toBe(`postgres://shell:${made('shell-password')}@postgres:5432/daybook`);
    expect(made('database-owner-url')).toBe('postgres://daybook:a1b2c3d4e5f6a7b8@postgres:5432/daybook');
    expect(made('metrics-token')).toHaveLength(64);
    expect(statSync(path.join(folder, 'secrets/backend-password')).mode & 0o777).toBe(0o600);
    const { stdout, status } = deploy(settings, '--name', 'other', '--resolve-image', 'never');
    expect([stdout.trim(), status]).toEqual([
      'docker stack deploy --compose-file - --prune --resolve-image never other',
      0,
    ]);
    const tokens = new Tokens(path.join(folder, 'secrets/shell-tokens'));
    expect(tokens.remotes).toEqual(remotes);
    for (const remote of remotes) expect(tokens.find(made(`${remote}.token`))?.remotes).toEqual([remote]);
    expect(tokens.find(made('operator-token'))?.remotes).toBe('*');
  });

  test('makes no token of a team that releases from elsewhere', () => {
    const line = `legal-ci mf-legal ${'a'.repeat(64)}`;
    give({ ...required, tokens: `${line}\n` }, 'secrets');
    deploy(`SECRETS_FOLDER=${path.join(folder, 'secrets')}\n`);
    const made = parseTokens(readFileSync(path.join(folder, 'secrets/shell-tokens'), 'utf8'));
    expect(made.filter(({ remotes: of }) => of.includes('mf-legal'))).toEqual(parseTokens(line));
    expect(readFileSync(path.join(folder, 'secrets/mf-legal.token'), 'utf8').trim()).toBe('');
  });
});
