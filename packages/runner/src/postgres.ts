import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from './ports.ts';
import { giveToNobody, runProgram } from './postgres-programs.ts';
import { endWithThisProcess, isRunning } from './processes.ts';

/** Timeouts in ms: of a start, which may include crash recovery, and of each signal that stops the server. */
const startTimeout = 60_000;
const stopTimeout = 15_000;

/** Number of log lines that an error message quotes. */
const quotedLines = 20;

/** The same text order and character set on every machine. */
const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

export interface PostgresOptions {
  /** Data folder; created if missing. The password is stored next to it, in `<folder>.password`. */
  readonly folder: string;
  /** Retains the data after `stop()`. */
  readonly persistent: boolean;
  /** Server settings, such as `{ fsync: 'off' }` for tests; default: those of Postgres, with full durability. */
  readonly settings?: Readonly<Record<string, string>>;
}

export type RunningPostgres = Awaited<ReturnType<typeof startPostgres>>;

async function createCluster(folder: string, password: string, isSynced: boolean): Promise<void> {
  // Created under another name, renamed at the end: an interrupted initdb leaves nothing that looks like a database.
  const unfinished = `${folder}.unfinished`;
  const passwordFile = `${unfinished}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  giveToNobody(unfinished, passwordFile);
  const lines: string[] = [];
  const credentials = ['--username=daybook', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const parameters = [`--pgdata=${unfinished}`, ...credentials, ...locale, ...(isSynced ? [] : ['--no-sync'])];
  const [code] = await once(
    runProgram('initdb', parameters, (line) => lines.push(line)),
    'close',
  );
  rmSync(passwordFile);
  if (code !== 0)
    throw new Error(`The database in ${folder} could not be created: ${lines.slice(-quotedLines).join('\n')}`);
  renameSync(unfinished, folder);
}

/** Starts the server on a port of 127.0.0.1; resolves once it accepts connections. */
async function launch(folder: string, port: number, settings: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
  const switches = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const lines: string[] = [];
  const ready = Promise.withResolvers<void>();
  const fail = (how: string) => {
    // Another command has started it since `stopEarlierRun`.
    const isInUse = lines.some((line) => line.includes('"postmaster.pid" already exists'));
    const log = `${how}:\n${lines.slice(-quotedLines).join('\n')}`;
    ready.reject(new Error(`The database in ${folder} ${isInUse ? 'is in use by another command' : log}`));
  };
  const server = runProgram(
    'postgres',
    // From the name, a later run detects whether the run that started this server is still alive.
    ['-D', folder, '-p', String(port), '-c', `cluster_name=daybook-${process.pid}`, ...switches],
    (line) => {
      lines.push(line);
      if (lines.length > quotedLines) lines.shift();
      if (line.includes('database system is ready to accept connections')) ready.resolve();
    },
  );
  server.once('close', () => fail('did not start'));
  const timer = setTimeout(() => fail(`was not ready after ${startTimeout / 1000} s`), startTimeout);
  endWithThisProcess(server, 'SIGINT');
  try {
    await ready.promise;
    return server;
  } catch (error) {
    await end(server);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Stops a server gracefully; escalates if it does not react. */
async function end(server: ChildProcess): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit', { signal: AbortSignal.timeout(stopTimeout) });
    server.kill(signal);
    await ended.catch(() => undefined);
  }
}

const passwordFileOf = (folder: string) => `${folder}.password`;
const urlOf = (password: string, port: number | string) => `postgres://daybook:${password}@127.0.0.1:${port}/postgres`;

/** Finds the server running on a data folder: its URL, its process, and the process that started it. */
async function findRunning(folder: string): Promise<{ url: string; pid: number; owner: number } | undefined> {
  const lockFile = path.join(folder, 'postmaster.pid');
  if (!existsSync(lockFile) || !existsSync(passwordFileOf(folder))) return undefined;
  const [pid, , , port = ''] = readFileSync(lockFile, 'utf8').split('\n');
  const url = urlOf(readFileSync(passwordFileOf(folder), 'utf8').trim(), port);
  // After a crash another program may have this pid: only a server that accepts this folder's password counts.
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    const { rows } = await client.query('SHOW cluster_name');
    return { url, pid: Number(pid), owner: Number(/\d+/.exec(rows[0].cluster_name)?.[0]) };
  } catch (error) {
    // 57P03: the server is shutting down.
    if ((error as { code?: string }).code !== '57P03') return undefined;
    await delay(50);
    return findRunning(folder);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns the URL of the server running on a folder of `startPostgres`, or `undefined`. */
export const urlOfRunning = async (folder: string): Promise<string | undefined> =>
  (await findRunning(path.resolve(folder)))?.url;

/** Stops the server that a killed run left on a data folder; throws if the run that started it is still alive. */
async function stopEarlierRun(folder: string): Promise<void> {
  const left = await findRunning(folder);
  if (!left) return;
  if (isRunning(left.owner))
    throw new Error(`The database in ${folder} is in use by process ${left.owner}. Stop it first.`);
  process.kill(left.pid, 'SIGINT');
  const limit = Date.now() + stopTimeout;
  while (isRunning(left.pid)) {
    if (Date.now() > limit) throw new Error(`The database server ${left.pid} of an earlier run does not stop.`);
    await delay(20);
  }
}

/** Returns the password of the cluster in a data folder; generates it on first use. */
function passwordOf(folder: string): string {
  const file = passwordFileOf(folder);
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  if (existsSync(folder))
    throw new Error(
      `The database in ${folder} has lost its password file ${file}. Restore it, or remove the folder to start with an empty database.`,
    );
  const password = randomBytes(24).toString('hex');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  return password;
}

/**
 * Starts PostgreSQL on a free port of 127.0.0.1; resolves once it accepts connections. Creates the cluster on first
 * use, and stops a server that a killed run left on the folder.
 *
 * @throws Error with a readable message: no binaries for this machine, the folder in use by another run, or the last
 *   lines of the log if the server does not start
 */
export async function startPostgres(options: PostgresOptions) {
  const folder = path.resolve(options.folder);
  const { settings = {} } = options;
  const password = passwordOf(folder);
  await stopEarlierRun(folder);
  if (existsSync(folder)) giveToNobody(folder);
  else await createCluster(folder, password, settings.fsync !== 'off');
  const port = await findFreePort();
  let server = await launch(folder, port, settings);
  return {
    /** `postgres://` URL with name and password. */
    url: urlOf(password, port),
    /** Resolves when the first server process has exited, for any reason. */
    ended: once(server, 'exit').then(() => undefined),
    /** Kills the server's main process, by default without any shutdown; SIGINT disconnects all clients. The data stays. */
    kill: async (signal: 'SIGKILL' | 'SIGINT' = 'SIGKILL') => {
      const gone = once(server, 'exit');
      server.kill(signal);
      await gone;
    },
    /** Restarts on the same port after `kill()`. */
    resume: async () => {
      server = await launchOnceReleased(folder, port, settings);
    },
    /** Disconnects all clients, flushes and exits; removes the data unless `persistent`. */
    stop: async () => {
      await end(server);
      if (options.persistent) return;
      rmSync(folder, { recursive: true, force: true });
      rmSync(passwordFileOf(folder), { force: true });
    },
  };
}

/** Restarts once no process of a killed server holds its shared memory. */
async function launchOnceReleased(...start: Parameters<typeof launch>): Promise<ChildProcess> {
  const limit = Date.now() + stopTimeout;
  for (;;) {
    try {
      return await launch(...start);
    } catch (error) {
      if (!(error as Error).message.includes('pre-existing shared memory block') || Date.now() > limit) throw error;
      await delay(50);
    }
  }
}
