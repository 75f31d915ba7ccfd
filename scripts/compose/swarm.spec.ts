import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { remotes, root } from '@daybook/runner/workspaces';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'yaml';

const read = (file: string) => readFileSync(file, 'utf8');
const ofSwarm = parse(read(path.join(root, 'deploy/swarm/stack.yml')), { merge: true, logLevel: 'error' });

/** Programs that `deploy.sh` starts: Compose prints files, and the swarm what it gets. */
const engine = `#!/bin/sh
case "$*" in
  *' config secrets') cat "$FOLDER/service.yml" ;;
  *' config') cat "$FOLDER/stack.yml" ;;
  'stack deploy'*) echo "# $*" && cat ;;
esac
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-swarm-'));
  const give = (name: string, text: string, mode = 0o600) => writeFileSync(path.join(folder, name), text, { mode });
  give('docker', engine, 0o700);
  const command = ['- /secrets', ...remotes.map((remote) => `- ${remote}`)].join('\n      ');
  give(
    'service.yml',
    `services:\n  secrets:\n    command:\n      ${command}\n    environment:\n      REQUIRED: ""
    volumes:\n      - type: bind\n        source: ${folder}/secrets\n      - type: bind\n        source: ${root}/deploy\n`,
  );
  const files = Object.entries<{ file: string }>(ofSwarm.secrets).map(([name, { file }]) => {
    const place = file.replace(/^\$\{[^}]+\}/, `${folder}/secrets`);
    return `  ${name}:\n    name: site_${name}\n    file: ${place}\n`;
  });
  give(
    'stack.yml',
    `name: site\nservices:\n  edge:\n    cpus: 1\n    published: "8080"\n    size: "64"\nsecrets:\n${files.join('')}`,
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs deploy.sh; returns what the swarm gets. */
const deploy = () =>
  execFileSync('sh', [path.join(root, 'deploy/swarm/deploy.sh'), '--name', 'site', '--detach'], {
    env: { PATH: `${folder}:${process.env.PATH}`, FOLDER: folder },
    encoding: 'utf8',
  });
const secretsOf = (text: string): Record<string, { name: string; file: string }> => parse(text).secrets;

test('the name of each secret has the hash of its content', () => {
  const secrets = secretsOf(deploy());
  expect(Object.keys(secrets)).toEqual(Object.keys(ofSwarm.secrets));
  for (const [key, { name, file }] of Object.entries(secrets)) {
    const hash = createHash('sha256').update(read(file)).digest('hex');
    expect(name).toBe(`site_${key}-${hash.slice(0, 12)}`);
  }
});

test('a changed secret gets another name, and no other does', () => {
  const before = secretsOf(deploy());
  writeFileSync(path.join(folder, 'secrets/cookie-secret'), 'n'.repeat(64));
  const after = secretsOf(deploy());
  expect(Object.keys(after).filter((key) => after[key]?.name !== before[key]?.name)).toEqual(['cookie-secret']);
});

test('secrets that Compose allows to be empty have content, as a swarm requires', () => {
  deploy();
  writeFileSync(path.join(folder, 'secrets/mf-legal.token'), '');
  const files = Object.values(secretsOf(deploy())).map(({ file }) => file);
  expect(files.filter((file) => read(file) === '')).toEqual([]);
});

test('the swarm gets the name, options and numbers that it accepts', () => {
  const text = deploy();
  expect(text).toMatch(/^# stack deploy --compose-file - --prune --detach site\nservices:\n/);
  expect(text).toContain('    cpus: "1"\n    published: 8080\n    size: 64\n');
});

test('services reset depends_on, and have the secrets that their variables name', () => {
  const { services } = parse(read(path.join(root, 'docker-compose.yml')), { merge: true, maxAliasCount: -1 });
  const { edge, ...overrides } = ofSwarm.services;
  const names = Object.keys(overrides).filter((name) => overrides[name] !== 'null');
  expect(names.sort()).toEqual(['backend', 'backup', ...remotes, 'migrate', 'postgres', 'roles', 'shell']);
  for (const name of names) {
    const { depends_on, volumes, secrets } = overrides[name];
    expect([name, depends_on]).toEqual([name, 'null']);
    expect([name, JSON.stringify(volumes)]).toEqual([name, expect.not.stringContaining('/run/secrets')]);
    const { environment = {} } = services[name] ?? services[`${name}-a`];
    const named = JSON.stringify(environment).matchAll(/\/run\/secrets\/([\w-]+)/g);
    const targets = secrets.map((secret: string | { target: string }) => Object(secret).target ?? secret);
    expect([name, targets]).toEqual([name, expect.arrayContaining(Array.from(named, ([, secret]) => secret))]);
  }
});
