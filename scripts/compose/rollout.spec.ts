import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '@daybook/runner/workspaces';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

// What deploy/upgrade and deploy/rotate do with a Docker engine, in which order, and how they go back. On a real engine, under
// load: e2e/compose/upgrade.spec.ts and kills.spec.ts.

let folder: string;
const engine = (file = '') => path.join(folder, 'engine', file);
const readEngine = (file: string) => readFileSync(engine(file), 'utf8').trim();

/** Makes a folder as on an operator's machine, and an engine on which two backends and one of all else run version 1. */
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-rollout-'));
  for (const each of ['deploy', 'bin', 'engine/containers']) mkdirSync(path.join(folder, each), { recursive: true });
  for (const file of ['docker-compose.yml', 'deploy/upgrade', 'deploy/rotate', 'deploy/rollout.sh'])
    cpSync(path.join(root, file), path.join(folder, file));
  writeFileSync(path.join(folder, 'bin/docker'), readFileSync(path.join(import.meta.dirname, 'fake-docker.sh')), {
    mode: 0o755,
  });
  writeFileSync(path.join(folder, 'bin/sleep'), '#!/bin/sh\nexec /bin/sleep 0.1\n', { mode: 0o755 });
  writeFileSync(path.join(folder, '.env'), '# Settings\nVERSION=1\nPORT=80');
  const files = { images: '1\n2\n', log: '', broken: '', starting: '', failing: 'nothing' };
  for (const [name, text] of Object.entries(files)) writeFileSync(engine(name), text);
  const services = ['secrets', 'roles', 'migrate', 'postgres', 'backend', 'backend', 'shell', 'edge', 'backup'];
  services.forEach((service, place) => {
    mkdirSync(engine(`containers/${place + 1}`));
    const isOneShot = ['secrets', 'roles', 'migrate'].includes(service);
    for (const [name, value] of Object.entries({ service, status: isOneShot ? 'exited' : 'running', version: '1' }))
      writeFileSync(engine(`containers/${place + 1}/${name}`), `${value}\n`);
  });
  writeFileSync(engine('last'), String(services.length));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const environment = () => ({ PATH: `${path.join(folder, 'bin')}:${process.env.PATH}`, ENGINE: engine() });

/** Runs a command in another folder than the stack's. */
function run(command: string, ...words: readonly string[]) {
  const options = { cwd: tmpdir(), env: environment(), encoding: 'utf8' } as const;
  const { stdout, stderr, status } = spawnSync('sh', [path.join(folder, command), ...words], options);
  return { stdout, stderr, status };
}

/** Returns what runs, such as `backend 1`. */
const running = () =>
  readdirSync(engine('containers'))
    .map((id) => ['service', 'version', 'status'].map((name) => readEngine(`containers/${id}/${name}`)).join(' '))
    .filter((line) => line.endsWith(' running'))
    .map((line) => line.replace(' running', ''))
    .sort();
const allOf = (version: string) =>
  ['backend', 'backend', 'backup', 'edge', 'postgres', 'shell'].map((service) => `${service} ${version}`);
const settings = () => readFileSync(path.join(folder, '.env'), 'utf8');

test('an upgrade takes a backup, migrates, and starts each new server before a former one stops', () => {
  const { status, stdout, stderr } = run('deploy/upgrade', '2');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Done: version 2 runs');
  expect(readEngine('log').split('\n')).toEqual([
    'backup backup now',
    'secrets save',
    'start secrets 2',
    'stop postgres 1',
    'start postgres 2',
    'start roles 2',
    'start migrate 2',
    'start backend 2',
    'stop backend 1',
    'start backend 2',
    'stop backend 1',
    'start shell 2',
    'stop shell 1',
    'stop backup 1',
    'start backup 2',
    'stop edge 1',
    'start edge 2',
    'secrets discard',
    'up',
  ]);
  expect(running()).toEqual(allOf('2'));
  expect(settings()).toBe('# Settings\nVERSION=2\nPORT=80\n');
  // Nothing is left to do.
  writeFileSync(engine('log'), '');
  expect(run('deploy/upgrade').status).toBe(0);
  expect(readEngine('log')).not.toMatch(/backend|shell|edge|postgres/);
});

test.each([
  ['a migration fails', 'migrate'],
  ['a new backend does not become ready', 'backend'],
  ['the new edge, the last one, does not become ready', 'edge'],
])('an upgrade goes back by itself if %s', (_reason, service) => {
  writeFileSync(engine('broken'), `${service} 2`);
  const { status, stderr } = run('deploy/upgrade', '2');
  expect(status).toBe(1);
  expect(stderr).toContain(
    `Its last words.\nIts last check.\ndeploy/upgrade: the new ${service} does not become ready.\n`,
  );
  expect(stderr).toContain('what ran before runs again');
  expect(running()).toEqual(allOf('1'));
  expect(readdirSync(engine('containers'))).toHaveLength(9);
  expect(readEngine('log')).toContain('secrets restore');
  expect(settings()).toBe('# Settings\nVERSION=1\nPORT=80');
});

test('one part gets a version of its own, and nothing else is touched', () => {
  const docker = path.join(folder, 'bin/docker');
  writeFileSync(docker, readFileSync(docker, 'utf8').replaceAll('VERSION', 'SHELL_VERSION'));
  writeFileSync(path.join(folder, '.env'), 'SHELL_VERSION=1\n');
  expect(run('deploy/upgrade', '--part', 'shell', '2')).toMatchObject({ status: 0, stderr: '' });
  expect(readEngine('log').split('\n')).toEqual(['start shell 2', 'stop shell 1']);
  expect(settings()).toBe('SHELL_VERSION=2\n');
});

test('the version is added to settings without one, whose file may be a link and lack a newline at the end', () => {
  const file = path.join(folder, '.env');
  writeFileSync(path.join(folder, 'settings'), 'PORT=80', { mode: 0o600 });
  rmSync(file);
  symlinkSync('settings', file);
  expect(run('deploy/upgrade', '--no-backup', '2')).toMatchObject({ status: 0, stderr: '' });
  expect([settings(), lstatSync(file).isSymbolicLink()]).toEqual(['PORT=80\nVERSION=2\n', true]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.each([
  ['deploy/upgrade', ['3'], 1, 'there is no image daybook/backend:3. Versions of backend on this machine: 1 2'],
  ['deploy/upgrade', ['--part', 'nginx', '2'], 2, 'there is no part “nginx”; the parts are: backend backup edge '],
  ['deploy/upgrade', ['--part'], 2, '--part needs a part'],
  ['deploy/upgrade', ['1', '2'], 2, 'a second version “2”'],
  ['deploy/upgrade', [''], 2, 'the version is empty'],
  ['deploy/upgrade', ['--fast'], 2, 'unknown option “--fast”'],
  ['deploy/upgrade', ['2; reboot'], 2, '“2; reboot” cannot be a version'],
  ['deploy/rotate', [], 2, 'name a secret'],
  ['deploy/rotate', ['cookie'], 2, 'there is no secret “cookie”; there are: cookie-secret, '],
  ['deploy/rotate', ['mf-nope.token'], 2, 'there is no remote “mf-nope”'],
  ['deploy/rotate', ['cookie-secret', 'backup-passphrase'], 1, 'backup-passphrase cannot be rotated'],
  ['deploy/rotate', ['audit-key'], 1, 'audit-key cannot be rotated'],
])('%s %j is rejected before anything changes', (command, words, code, reason) => {
  const { status, stderr } = run(command, ...words);
  expect(status).toBe(code);
  expect(stderr).toContain(reason);
  expect(readEngine('log')).toBe('');
  expect(running()).toEqual(allOf('1'));
  expect(settings()).toContain('VERSION=1\n');
});

test.each(['deploy/upgrade', 'deploy/rotate'])('%s states that docker-compose.yml is missing', (command) => {
  rmSync(path.join(folder, 'docker-compose.yml'));
  expect(run(command, '1')).toMatchObject({ status: 1, stderr: expect.stringContaining('has no docker-compose.yml') });
});

test('a failed backup stops an upgrade, unless none is wanted', () => {
  writeFileSync(engine('failing'), 'backup backup now');
  const { status, stderr } = run('deploy/upgrade', '2');
  expect([status, stderr]).toEqual([1, expect.stringContaining('the backup failed')]);
  expect(running()).toEqual(allOf('1'));
  expect(run('deploy/upgrade', '--no-backup', '2').status).toBe(0);
});

test('a version in the environment, which would override .env, is rejected', () => {
  const { stderr, status } = spawnSync('sh', [path.join(folder, 'deploy/upgrade'), '2'], {
    env: { ...environment(), VERSION: '1' },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([2, expect.stringContaining('VERSION=1 is set in the environment')]);
});

const replacements = (service: string) => [`start ${service} 1`, `stop ${service} 1`];
test.each([
  ['metrics-token', 'those that read it are replaced', ['backend', 'backend', 'shell'].flatMap(replacements)],
  ['tokens', 'no container is replaced', []],
])('when %s is rotated, %s, and the former one is deleted', (secret, _effect, servers) => {
  expect(run('deploy/rotate', secret)).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(/^Done: .*$/m),
  });
  expect(readEngine('log').split('\n')).toEqual(['secrets save', `secrets ${secret}`, ...servers, 'secrets discard']);
  expect(running()).toEqual(allOf('1'));
});

test('a secret that is rejected, or with which no server starts, changes nothing', () => {
  writeFileSync(engine('failing'), 'secrets operator-token');
  expect(run('deploy/rotate', 'operator-token').status).toBe(1);
  expect(readEngine('log')).not.toContain('start');
  writeFileSync(engine('failing'), 'nothing');
  writeFileSync(engine('broken'), 'shell 1');
  const { status, stderr } = run('deploy/rotate', 'operator-token');
  expect([status, stderr]).toEqual([1, expect.stringContaining('the new shell does not become ready')]);
  expect(readEngine('log')).toMatch(/start shell 1\nstop shell 1\nsecrets restore$/);
  expect(running()).toEqual(allOf('1'));
});

test('an interrupted upgrade goes back, and a second one at the same time is rejected', async () => {
  writeFileSync(engine('starting'), 'backend 2');
  const child = spawn('sh', [path.join(folder, 'deploy/upgrade'), '2'], { env: environment() });
  const errors = text(child.stderr);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  while (!output.includes('backend: replacing 1')) await once(child.stdout, 'data');
  expect(run('deploy/upgrade', '2')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('is running in this folder'),
  });
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(child.exitCode).toBe(143);
  expect(await errors).toContain('what ran before runs again');
  expect(running()).toEqual(allOf('1'));
  expect(settings()).toContain('VERSION=1\n');
});
