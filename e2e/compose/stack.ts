import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { docker, findCompose, startEngineProgram } from '@daybook/testing/compose';
import { remotes, root } from '@daybook/testing/workspaces';
import { expect } from '@playwright/test';

const program = await findCompose();
if (!program) throw new Error('There is no Docker engine with Compose. Run: npm run test:compose');

/** Apart from every stack that runs here for somebody: names of containers, volumes, networks and images. */
export const project = 'daybook-test-compose';
export const version = 'test-compose';

/** The stack's sources and settings; all processes of a run share the folder. */
process.env.STACK_FOLDER ??= mkdtempSync(path.join(tmpdir(), 'daybook-compose-'));
export const folder: string = process.env.STACK_FOLDER;

/** What of the repository the stack is made from. */
const sources = [
  'docker-compose.yml',
  '.dockerignore',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'deploy',
  'packages',
  'shell',
  'backend',
  ...remotes,
];

/** Copies what the stack is made from to its folder, where a test may change it. */
export function copySources(): void {
  const filter = (file: string) => !/[\\/](?:node_modules|dist)$/.test(file);
  for (const name of sources) cpSync(path.join(root, name), path.join(folder, name), { recursive: true, filter });
}

/** Changes settings of the stack, as its operator would. */
export function changeSettings(changes: Readonly<Record<string, string>>): void {
  const file = path.join(folder, '.env');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const unchanged = lines.filter((line) => line && !((line.split('=')[0] ?? '') in changes));
  const changed = Object.entries(changes).map(([name, value]) => `${name}=${value}`);
  writeFileSync(file, [...unchanged, ...changed, ''].join('\n'));
}

/** Changes a source of a part, as its team would. */
export function changeSource(file: string, text: string, next: string): void {
  const place = path.join(folder, file);
  const source = readFileSync(place, 'utf8');
  if (!source.includes(text)) throw new Error(`${file} has no “${text}” any more.`);
  writeFileSync(place, source.replace(text, next));
}

/** Starts `docker compose …`. */
export const startCompose = (...words: readonly string[]) => startEngineProgram([...program, ...words], folder);

/** Runs `docker compose …`; returns what it prints. */
export const compose = async (...words: readonly string[]): Promise<string> =>
  String((await startCompose(...words)).stdout);

/** Runs a command in a service's container. */
export const exec = (service: string, ...command: readonly string[]): Promise<string> =>
  compose('exec', '-T', service, ...command);

/** Queries the stack's database; returns the lines of the result. */
export const query = (sql: string): Promise<string> =>
  exec('postgres', 'psql', '--username=daybook', '--no-align', '--tuples-only', '-c', sql);

export const containerId = (service: string): Promise<string> => compose('ps', '--all', '--quiet', service);

/** All that the engine knows of a service's container. */
export async function inspect(service: string) {
  const [container] = JSON.parse(await docker('inspect', await containerId(service)));
  return container;
}

/** The services that run all the time. */
export const running: readonly string[] = ['postgres', 'backend', 'shell', ...remotes];

/** Timeout in ms of what a container becomes on a busy machine. */
export const healthTimeout = 120_000;

/** Expects what the health of a service becomes; its state where it has no health. */
export function expectHealth(service: string) {
  const health = async () => {
    const { State } = await inspect(service);
    return State.Running && State.Health ? State.Health.Status : State.Status;
  };
  return expect.poll(health, { timeout: healthTimeout, message: service });
}

/** Waits until everything runs again. */
export async function untilAllHealthy(): Promise<void> {
  for (const service of running) await expectHealth(service).toBe('healthy');
}
