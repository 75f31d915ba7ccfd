import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PublicRegistry } from '@daybook/contract/release';
import { findFreePort } from './ports.ts';
import { type Child, type ChildOptions, exitCode, hasEnded, startNode, stopChild } from './processes.ts';
import { remoteOrigins, root } from './workspaces.ts';

/** Timeout of a server's start, in ms. */
const startTimeout = 60_000;

export interface SiteOptions {
  /** Port of the site on localhost; default: a free one. */
  readonly port?: number;
  readonly databaseUrl: string;
  /** Signs the cookie with a browser's signups; at least 32 characters. */
  readonly cookieSecret: string;
  /** Folder of the shell server's cache of releases. */
  readonly releasesFolder: string;
  /** Address of the database with the role `shell`; without it, the shell server's registry is in memory. */
  readonly releasesDatabaseUrl?: string;
  /** Grants access to the operator's pages of the shell server. */
  readonly operatorToken?: string;
  /** Grants access to the metrics of both servers. */
  readonly metricsToken?: string;
  /** The shell server's `REMOTES`; default: every remote's build. */
  readonly remotes?: string;
  /** Interval in which the shell server polls for new releases, in seconds. */
  readonly releasesInterval?: number;
  /** Additional environment variables of the backend, such as limits. */
  readonly backendVariables?: Readonly<Record<string, string>>;
  /** Additional environment variables of the shell server, such as site settings. */
  readonly shellVariables?: Readonly<Record<string, string>>;
  /** Reloads pages and restarts the backend after a build. */
  readonly development?: boolean;
}

export type RunningSite = Awaited<ReturnType<typeof startSite>>;

/** Brings the database's schema up to date. From the sources, so that it needs no build of the backend. */
export async function migrate(databaseUrl: string): Promise<void> {
  const migration = [path.join(root, 'backend/src/migrate.ts')];
  const code = await exitCode(startNode(migration, { environment: { DATABASE_URL: databaseUrl } }));
  if (code !== 0) throw new Error('The database could not be migrated; see the output above.');
}

/** Waits until a started server responds at `/healthz`; stops one that does not. */
export async function untilHealthy(name: string, address: string, child: Child): Promise<void> {
  const limit = AbortSignal.timeout(startTimeout);
  for (;;) {
    if (hasEnded(child)) throw new Error(`The ${name} did not start; see its output above.`);
    if (limit.aborted) {
      child.kill();
      throw new Error(`The ${name} did not respond at ${address} within ${startTimeout / 1000} s.`);
    }
    const response = await fetch(`${address}/healthz`, { signal: limit }).catch(() => undefined);
    if (response?.ok) return;
    await delay(25);
  }
}

/**
 * Waits until a shell server has releases of these remotes; default: of all. It starts without those that take longer
 * than five seconds, as they do on a busy machine.
 */
export async function untilMirrored(address: string, names?: readonly string[]): Promise<void> {
  const limit = Date.now() + startTimeout;
  for (;;) {
    const { missing } = (await (await fetch(`${address}/registry.json`)).json()) as PublicRegistry;
    const awaited = missing.filter((name) => names?.includes(name) ?? true);
    if (awaited.length === 0) return;
    if (Date.now() > limit)
      throw new Error(`The shell server has no release of ${awaited.join(', ')}: its log above says why.`);
    await delay(100);
  }
}

/** Waits until a server exits, which it should not; returns that as a reason. */
export const ended = async (name: string, child: Child) => {
  await child;
  return `The ${name} exited unexpectedly.`;
};

/** Options of a separate shell server. */
export type ShellServerOptions = Omit<SiteOptions, 'databaseUrl' | 'cookieSecret' | 'backendVariables'> & {
  /** Destination of the server's log. */
  readonly output?: ChildOptions['output'];
  /** Folder of the shell's build; default: that of this repository. */
  readonly shellFolder?: string;
};

/**
 * Launches only the shell server, with a backend that already runs.
 *
 * @param backendAddress default: port 9, of the discard service: nothing listens there, so every API call fails
 * @returns the process and its address, where it does not respond yet
 */
export async function launchShellServer(
  {
    port,
    remotes = remoteOrigins(),
    releasesFolder,
    releasesDatabaseUrl,
    releasesInterval,
    operatorToken,
    metricsToken,
    shellVariables,
    development = false,
    output = 'inherit',
    shellFolder,
  }: ShellServerOptions,
  backendAddress = 'http://127.0.0.1:9',
) {
  const usedPort = port ?? (await findFreePort());
  const address = `http://localhost:${usedPort}`;
  const child = startNode([path.join(root, 'shell/server/main.ts'), ...(shellFolder ? [shellFolder] : [])], {
    environment: {
      PORT: String(usedPort),
      BACKEND_URL: backendAddress,
      REMOTES: remotes,
      RELEASES_FOLDER: releasesFolder,
      // Never that of the calling process.
      RELEASES_DATABASE_URL: releasesDatabaseUrl ?? '',
      ...(releasesInterval ? { RELEASES_INTERVAL: String(releasesInterval) } : {}),
      ...(operatorToken ? { OPERATOR_TOKEN: operatorToken } : {}),
      ...(metricsToken ? { METRICS_TOKEN: metricsToken } : {}),
      DRAIN_SECONDS: '0',
      DEVELOPMENT: String(development),
      ...shellVariables,
    },
    output,
  });
  return { address, child };
}

/** Launches only the shell server; returns the process and its address, once it responds. */
export async function startShellServer(...parameters: Parameters<typeof launchShellServer>) {
  const { address, child } = await launchShellServer(...parameters);
  await untilHealthy('shell server', address, child);
  return { address, child };
}

/** Options of a separate backend. */
type BackendOptions = Pick<
  SiteOptions,
  'databaseUrl' | 'cookieSecret' | 'metricsToken' | 'backendVariables' | 'development'
>;

/**
 * Starts only a backend, on a migrated database.
 *
 * @returns the process and its address, once it responds
 */
export async function startBackend({
  databaseUrl,
  cookieSecret,
  metricsToken,
  backendVariables,
  development = false,
}: BackendOptions) {
  const port = await findFreePort();
  const address = `http://127.0.0.1:${port}`;
  const main = path.join(root, 'backend/build/main.js');
  const child = startNode(development ? ['--watch', '--watch-preserve-output', main] : [main], {
    environment: {
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      COOKIE_SECRET: cookieSecret,
      TRUSTED_PROXIES: '1',
      ...(metricsToken ? { METRICS_TOKEN: metricsToken } : {}),
      DRAIN_SECONDS: '0',
      ...backendVariables,
    },
  });
  await untilHealthy('backend', address, child);
  return { address, child };
}

/** Starts backend and shell server on a migrated database; resolves once both respond. */
export async function startSite(options: SiteOptions) {
  const backend = await startBackend(options);
  const shell = await startShellServer(options, backend.address).catch(async (error) => {
    await stopChild(backend.child);
    throw error;
  });
  return {
    address: shell.address,
    backendAddress: backend.address,
    /** Resolves with a reason if a part exits unexpectedly. */
    broken: Promise.race([ended('backend', backend.child), ended('shell server', shell.child)]),
    /** Stops the shell server, then the backend; both finish requests in progress first. */
    stop: async () => {
      await stopChild(shell.child);
      await stopChild(backend.child);
    },
  };
}
