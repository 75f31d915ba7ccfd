import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { docker, findCompose, startEngineProgram } from '@daybook/testing/compose';
import { remotes, root } from '@daybook/testing/workspaces';
import { expect } from '@playwright/test';

const program = await findCompose();
if (!program) throw new Error('There is no Docker engine with Compose. Run: npm run test:compose');

/** Prefix of containers, volumes, networks and images, to separate them from other stacks on this machine. */
export const project = 'daybook-test-compose';
export const version = 'test-compose';

/** The same of the stack that the tests of upgrades start beside it. */
export const upgradedProject = `${project}-upgrade`;

/** PostgreSQL with a package source that works on machines whose mirror is a snapshot. */
export const postgresImage = 'daybook/postgres-test:18';

/** For loads that come from one network. */
export const raisedLimits = {
  LIMIT_NETWORK_REQUESTS: '1000000',
  LIMIT_NETWORK_SIGNUPS: '1000000',
  LIMIT_NETWORK_WRITES: '1000000',
  LIMIT_GLOBAL_SIGNUPS: '1000000',
};

/** Folder of the stack's sources and settings, shared by all processes of a run. */
process.env.STACK_FOLDER ??= mkdtempSync(path.join(tmpdir(), 'daybook-compose-'));
export const folder: string = process.env.STACK_FOLDER;

const sources = ['docker-compose.yml', '.dockerignore', 'package.json', 'package-lock.json', 'tsconfig.base.json'];
const folders = ['deploy', 'packages', 'shell', 'backend', ...remotes];

/** Removes all permissions of others in a folder, as in a clone made under umask 077. */
export const makePrivate = (place: string): string => execFileSync('chmod', ['-R', 'go=', place], { encoding: 'utf8' });

/**
 * Copies the stack's sources to its folder, where tests may change them. Only their owner can read them: images and
 * services must work with such a clone, too.
 */
export function copySources(): void {
  const filter = (file: string) => !/\/(?:node_modules|(?:mf-[^/]+|shell|backend)\/build)$/.test(file);
  for (const name of [...sources, ...folders])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true, filter });
  makePrivate(folder);
}

export function changeSettings(changes: Readonly<Record<string, string>>, place = folder): void {
  const file = path.join(place, '.env');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const unchanged = lines.filter((line) => line && !((line.split('=')[0] ?? '') in changes));
  const changed = Object.entries(changes).map(([name, value]) => `${name}=${value}`);
  writeFileSync(file, [...unchanged, ...changed, ''].join('\n'));
}

export function changeSource(file: string, text: string, next: string): void {
  const place = path.join(folder, file);
  const source = readFileSync(place, 'utf8');
  if (!source.includes(text)) throw new Error(`${file} has no “${text}” any more.`);
  writeFileSync(place, source.replace(text, next));
}

export const composeIn = async (place: string, ...words: readonly string[]): Promise<string> =>
  String((await startEngineProgram([...program, ...words], place)).stdout);
export const startCompose = (...words: readonly string[]) => startEngineProgram([...program, ...words], folder);
export const compose = (...words: readonly string[]): Promise<string> => composeIn(folder, ...words);

/** Starts `deploy/upgrade` of a folder with a stack; on failure, the result rejects with all its output. */
export const upgrade = (words: readonly string[] = [], place = folder) =>
  startEngineProgram(['sh', 'deploy/upgrade', ...words], place, { all: true });

/** Runs the first block of commands below a heading of docs/operations.md. */
export async function runDocumented(heading: string): Promise<void> {
  const text = readFileSync(path.join(root, 'docs/operations.md'), 'utf8');
  const [, commands] = text.split(RegExp(`\n###? ${heading}\n`))[1]?.match(/^```sh\n(.*?)^```$/ms) ?? [];
  if (!commands) throw new Error(`docs/operations.md has no commands under “${heading}”.`);
  // Docker Compose may be a separate program.
  const script = commands.replaceAll('docker compose', program?.join(' ') ?? '');
  await startEngineProgram(['sh', '-euc', script], folder);
}

/**
 * Starts services and waits until they are healthy. Its own timeout names what it waits for; that of a test would not, and
 * would leave it waiting.
 */
export const up = (...words: readonly string[]): Promise<string> =>
  compose('up', '--detach', '--wait', '--wait-timeout', '240', ...words);

export const remove = (name = project): Promise<string> =>
  compose('--project-name', name, '--profile', '*', 'down', '--volumes', '--remove-orphans');

/** Removes the secrets of a folder with a stack, which belong to root. */
export const removeSecrets = (place: string): Promise<string> =>
  docker('run', '--rm', `--volume=${place}:/folder`, '--entrypoint=rm', postgresImage, '-rf', '/folder/secrets');

export const exec = (service: string, ...command: readonly string[]): Promise<string> =>
  compose('exec', '-T', service, ...command);
export const query = (sql: string): Promise<string> =>
  exec('postgres', 'psql', '--username=daybook', '--no-align', '--tuples-only', '-c', sql);
export const containerId = (service: string): Promise<string> => compose('ps', '--all', '--quiet', service);
export const inspect = async (service: string) => JSON.parse(await docker('inspect', await containerId(service)))[0];
export const parts: readonly string[] = [...remotes, 'backend-a', 'backup', 'edge', 'shell-a'];
export const running: readonly string[] = ['postgres', ...parts, 'backend-b', 'shell-b'];

/** Timeout in ms of a container's change of state on a busy machine. */
export const healthTimeout = 120_000;

/** Returns a polling expectation of the health of a service's container, or of its state if it does not run. */
export function expectHealth(service: string) {
  const health = async () => {
    const { State } = await inspect(service);
    return State.Running ? State.Health.Status : State.Status;
  };
  return expect.poll(health, { timeout: healthTimeout, message: service });
}

export async function untilAllHealthy(): Promise<void> {
  const format = '{{.Service}} {{.Health}}';
  const health = async () => new Set((await compose('ps', '--all', '--format', format, ...running)).split('\n'));
  const healthy = new Set(running.map((service) => `${service} healthy`));
  await expect.poll(health, { timeout: healthTimeout }).toEqual(healthy);
}
