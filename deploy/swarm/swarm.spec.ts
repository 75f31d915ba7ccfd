import { readFileSync } from 'node:fs';
import path from 'node:path';
import { remotes, root } from '@daybook/testing/workspaces';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

const read = (file: string) =>
  parse(readFileSync(path.join(root, file), 'utf8'), { merge: true, maxAliasCount: -1, logLevel: 'error' });
const ofCompose = read('docker-compose.yml').services;
const { services } = read('deploy/swarm/stack.yml');

test('services reset depends_on, and have the secrets that their variables name', () => {
  const { edge, ...overrides } = services;
  const names = Object.keys(overrides).filter((name) => overrides[name] !== 'null');
  expect(names.sort()).toEqual(['backend', 'backup', ...remotes, 'migrate', 'postgres', 'roles', 'shell']);
  for (const name of names) {
    const { depends_on, volumes, secrets: own } = overrides[name];
    expect([name, depends_on]).toEqual([name, 'null']);
    expect([name, JSON.stringify(volumes)]).toEqual([name, expect.not.stringContaining('/run/secrets')]);
    const { environment = {} } = ofCompose[name] ?? ofCompose[`${name}-a`];
    const named = JSON.stringify(environment).matchAll(/\/run\/secrets\/([\w-]+)/g);
    const targets = own.map((secret: string | { target: string }) => Object(secret).target ?? secret);
    expect([name, targets]).toEqual([name, expect.arrayContaining(Array.from(named, ([, secret]) => secret))]);
  }
});

test('no health check ends what is slow to start, or works and waits for another part', () => {
  expect(ofCompose.postgres.healthcheck.start_period).toBe('24h');
  const { postgres, backend, shell, backup, edge } = services;
  expect(postgres.healthcheck.start_period).toBe('24h');
  const patient = { start_period: '1h', test: ['CMD', 'node', '/usr/local/lib/ready.mjs', '--once'] };
  for (const { healthcheck } of [backend, shell]) expect(healthcheck).toMatchObject(patient);
  for (const { healthcheck } of [backup, edge]) expect(healthcheck.start_period).toBe('10m');
});
