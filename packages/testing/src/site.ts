import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from './ports.ts';
import { type Child, exitCode, hasEnded, startNode, startServer, stopChild } from './processes.ts';
import { remoteOrigins, root } from './workspaces.ts';

/** Timeout of the start of a server, in ms. */
const startTimeout = 30_000;

export interface SiteOptions {
  /** Port of the site on localhost. */
  readonly port: number;
  readonly databaseUrl: string;
  /** Signs the cookie that remembers a browser's signups; 32 characters or more. */
  readonly cookieSecret: string;
  /** Where the shell server keeps the releases that it mirrors. */
  readonly releasesFolder: string;
  /** Opens the operator's pages of the shell server, and the metrics of both. */
  readonly operatorToken?: string;
  /** The shell server's `REMOTES`; without it, every remote's own dist folder. */
  readonly remotes?: string;
  /** The shell server looks for new releases this often, in seconds. */
  readonly releasesInterval?: number;
  /** More variables of the backend's environment, such as limits. */
  readonly backendVariables?: Readonly<Record<string, string>>;
  /** More variables of the shell server's environment, such as site settings. */
  readonly shellVariables?: Readonly<Record<string, string>>;
  /** Pages reload after a build, the backend restarts after one. */
  readonly development?: boolean;
}

export interface RunningSite {
  readonly address: string;
  readonly backendAddress: string;
  /** Resolves with a reason if a part ends by itself. */
  readonly broken: Promise<string>;
  /** Stops the shell server, then the backend; requests under way are answered first. */
  stop(): Promise<void>;
}

/** Brings the database's schema up to date. */
export async function migrate(databaseUrl: string): Promise<void> {
  const migration = [path.join(root, 'backend/dist/migrate.js')];
  const code = await exitCode(startNode(migration, { environment: { DATABASE_URL: databaseUrl } }));
  if (code !== 0) throw new Error('The database could not be migrated; the reason is above.');
}

/** Waits until a server that was started responds at `/healthz`. */
export async function untilHealthy(name: string, address: string, child: Child): Promise<void> {
  const limit = AbortSignal.timeout(startTimeout);
  for (;;) {
    if (hasEnded(child)) throw new Error(`The ${name} did not start; the reason is above.`);
    if (limit.aborted) throw new Error(`The ${name} did not answer at ${address} within ${startTimeout / 1000} s.`);
    const answer = await fetch(`${address}/healthz`, { signal: limit }).catch(() => undefined);
    if (answer?.ok) return;
    await delay(25);
  }
}

const ended = async (name: string, child: Child) => {
  await child;
  return `The ${name} has ended by itself.`;
};

/** What a shell server of its own is started with. */
export type ShellServerOptions = Omit<SiteOptions, 'databaseUrl' | 'cookieSecret' | 'backendVariables'> & {
  /** Shows nothing of what the server logs. */
  readonly quiet?: boolean;
};

/**
 * Starts the shell server alone, in front of a backend that runs already.
 *
 * @returns the process and its address, once it answers
 */
export async function startShellServer(
  {
    port,
    remotes = remoteOrigins(),
    releasesFolder,
    releasesInterval,
    operatorToken,
    shellVariables,
    development = false,
    quiet = false,
  }: ShellServerOptions,
  backendAddress: string,
) {
  const address = `http://localhost:${port}`;
  const child = startServer(
    [path.join(root, 'shell/server/main.ts')],
    {
      PORT: String(port),
      BACKEND_URL: backendAddress,
      REMOTES: remotes,
      RELEASES_FOLDER: releasesFolder,
      ...(releasesInterval ? { RELEASES_INTERVAL: String(releasesInterval) } : {}),
      ...(operatorToken ? { OPERATOR_TOKEN: operatorToken } : {}),
      DRAIN_SECONDS: '0',
      DEVELOPMENT: String(development),
      ...shellVariables,
    },
    quiet ? 'ignore' : 'inherit',
  );
  await untilHealthy('shell server', address, child);
  return { address, child };
}

/** What a backend of its own is started with. */
type BackendOptions = Pick<
  SiteOptions,
  'databaseUrl' | 'cookieSecret' | 'operatorToken' | 'backendVariables' | 'development'
>;

/**
 * Starts a backend alone, on a migrated database.
 *
 * @returns the process and its address, once it answers
 */
export async function startBackend({
  databaseUrl,
  cookieSecret,
  operatorToken,
  backendVariables,
  development = false,
}: BackendOptions) {
  const port = await findFreePort();
  const address = `http://127.0.0.1:${port}`;
  const main = path.join(root, 'backend/dist/main.js');
  const child = startServer(development ? ['--watch', '--watch-preserve-output', main] : [main], {
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    COOKIE_SECRET: cookieSecret,
    TRUSTED_PROXIES: '1',
    ...(operatorToken ? { OPERATOR_TOKEN: operatorToken } : {}),
    DRAIN_SECONDS: '0',
    ...backendVariables,
  });
  await untilHealthy('backend', address, child);
  return { address, child };
}

/** Starts backend and shell server on a migrated database, and resolves once both answer. */
export async function startSite(options: SiteOptions): Promise<RunningSite> {
  const backend = await startBackend(options);
  try {
    const shell = await startShellServer(options, backend.address);
    return {
      address: shell.address,
      backendAddress: backend.address,
      broken: Promise.race([ended('backend', backend.child), ended('shell server', shell.child)]),
      stop: async () => {
        await stopChild(shell.child);
        await stopChild(backend.child);
      },
    };
  } catch (error) {
    await stopChild(backend.child);
    throw error;
  }
}
