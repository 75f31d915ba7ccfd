import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { remotes, root } from '@daybook/runner/workspaces';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';

const read = (file: string) =>
  parse(readFileSync(path.join(root, file), 'utf8'), { merge: true, maxAliasCount: -1, logLevel: 'error' });
const ofCompose = read('docker-compose.yml').services;
const { services, secrets } = read('deploy/swarm/stack.yml');

/** Prints files as Compose does, and what the swarm gets. */
const engine = `#!/bin/sh
case "$*" in
  *' config secrets') cat "$FOLDER/service.yml" ;;
  *' config') cat "$FOLDER/stack.yml" ;;
  'stack deploy'*) echo "# $*" && cat ;;
esac
`;
let folder: string;
/** What the swarm gets. */
let deployed: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-swarm-'));
  const give = (name: string, text: string, mode = 0o600) => writeFileSync(path.join(folder, name), text, { mode });
  give('docker', engine, 0o700);
  mkdirSync(path.join(folder, 'secrets'));
  give('secrets/mf-legal.token', '');
  const words = remotes.map((remote) => `  - ${remote}\n`).join('');
  give('service.yml', `command:\n${words}REQUIRED: ""\nsource: ${folder}/secrets\nsource: ${root}\n`);
  const files = Object.entries<{ file: string }>(secrets).map(
    ([name, { file }]) =>
      `  ${name}:\n    name: site_${name}\n    file: ${file.replace(/^.*\}/, `${folder}/secrets`)}\n`,
  );
  const edge = '  edge:\n    cpus: 1\n    published: "8080"\n    size: "64"\n';
  give('stack.yml', `name: site\nservices:\n${edge}secrets:\n${files.join('')}`);
  deployed = execFileSync('sh', [path.join(root, 'deploy/swarm/deploy.sh'), '--name', 'site', '--detach'], {
    env: { PATH: `${folder}:${process.env.PATH}`, FOLDER: folder },
    encoding: 'utf8',
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

test('each secret has content, as a swarm requires, and its hash in its name', () => {
  const names = Object.entries<{ name: string; file: string }>(parse(deployed).secrets).map(([key, { name, file }]) => {
    const content = readFileSync(file);
    expect([key, content.length]).not.toEqual([key, 0]);
    expect(name).toBe(`site_${key}-${createHash('sha256').update(content).digest('hex').slice(0, 12)}`);
    return key;
  });
  expect(names).toEqual(Object.keys(secrets));
});

test('the swarm gets the name, options and numbers that it accepts', () => {
  expect(deployed).toMatch(/^# stack deploy --compose-file - --prune --detach site\nservices:\n/);
  expect(deployed).toContain('    cpus: "1"\n    published: 8080\n    size: 64\n');
});

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
