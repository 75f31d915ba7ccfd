import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from './ports.ts';
import { createCluster, databaseName, userName } from './postgres-cluster.ts';
import { homeOf, type PostgresHome, passwordFileOf, passwordOf } from './postgres-home.ts';
import {
  end,
  launch,
  PortTakenError,
  type PostgresServer,
  runningServer,
  type ServerOptions,
  stopEarlierRun,
} from './postgres-process.ts';

export interface PostgresOptions extends ServerOptions {
  /** Data folder; made when it is missing. The password lies beside it, in `<folder>.password`. */
  readonly folder: string;
  /** Port on 127.0.0.1; without it a free one is taken. */
  readonly port?: number;
  /** Whether the data outlives `stop()`. */
  readonly persistent: boolean;
}

export interface RunningPostgres {
  /** `postgres://` address with name and password. */
  readonly url: string;
  readonly port: number;
  /** Where the data really is: `folder`, or below /var/lib where root's folders are closed to PostgreSQL. */
  readonly dataFolder: string;
  /** Resolves when the server that was started first has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Disconnects everybody, writes everything and ends; removes the data unless `persistent`. */
  stop(): Promise<void>;
  /** Ends at once, as a crash would; the data stays. */
  halt(): Promise<void>;
  /** Ends the server's main process by SIGKILL, which nothing can prepare for; its others notice and end by themselves. */
  kill(): Promise<void>;
  /** Starts again on the same port after `halt()` or `kill()`. */
  resume(): Promise<void>;
  /** `halt()` and `resume()`. */
  restart(): Promise<void>;
}

/**
 * Starts PostgreSQL on 127.0.0.1, creating the cluster on first use, and resolves once it takes connections.
 * A server that an interrupted earlier run left on the folder is stopped first.
 *
 * @throws Error with a readable message: no binaries for this machine, the folder in use by a run that is still
 *   alive, the port taken, or the last lines of the log when the server refuses to start.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const folder = resolve(options.folder);
  const password = passwordOf(folder);
  const home = homeOf(folder, password);
  await stopEarlierRun(home.dataFolder);
  if (!existsSync(home.dataFolder)) await createCluster(home, password, options);
  let server = await launchOnSomePort(home, options);
  const { port } = server;

  const halt = () => end(server.process, 'SIGQUIT');
  const resume = async () => {
    server = await launchOnceFree(home, port, options);
  };
  return {
    url: addressOf(password, port),
    port,
    dataFolder: home.dataFolder,
    ended: once(server.process, 'exit').then(() => undefined),
    halt,
    kill: async () => {
      const gone = once(server.process, 'exit');
      server.process.kill('SIGKILL');
      await gone;
    },
    resume,
    restart: async () => {
      await halt();
      await resume();
    },
    stop: async () => {
      await end(server.process, 'SIGINT');
      if (options.persistent) return;
      rmSync(home.dataFolder, { recursive: true, force: true });
      rmSync(passwordFileOf(folder), { force: true });
    },
  };
}

const addressOf = (password: string, port: number) =>
  `postgres://${userName}:${password}@127.0.0.1:${port}/${databaseName}`;

/** The address of the server that runs on a folder that `startPostgres` was given; undefined where none does. */
export function addressOfRunning(folder: string): string | undefined {
  if (!existsSync(passwordFileOf(folder))) return undefined;
  const password = passwordOf(folder);
  const server = runningServer(homeOf(folder, password).dataFolder);
  return server && addressOf(password, server.port);
}

/** How long the processes of a killed server may take to notice, in ms. */
const noticeLimit = 10_000;

/** Starts the server once no process of a killed one holds on to its memory any more. */
async function launchOnceFree(home: PostgresHome, port: number, options: PostgresOptions): Promise<PostgresServer> {
  const limit = Date.now() + noticeLimit;
  for (;;) {
    try {
      return await launch(home, port, options);
    } catch (error) {
      const isHeld = error instanceof Error && error.message.includes('pre-existing shared memory block');
      if (!isHeld || Date.now() > limit) throw error;
      await delay(50);
    }
  }
}

/** How often a free port may be snatched away before it is started on. */
const mostAttempts = 5;

async function launchOnSomePort(home: PostgresHome, options: PostgresOptions): Promise<PostgresServer> {
  if (options.port !== undefined) return launch(home, options.port, options);
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(home, await findFreePort(), options);
    } catch (error) {
      if (attempt === mostAttempts || !(error instanceof PortTakenError)) throw error;
    }
  }
}
