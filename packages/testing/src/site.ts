import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '@daybook/server/command-line';
import { findFreePort } from './ports.ts';
import { type Child, type ChildOptions, hasEnded, runQuietly, startNode, stopChild } from './processes.ts';
import { root } from './workspaces.ts';

export interface ShellServerOptions {
  readonly port?: number;
  /** Instead of localhost. */
  readonly host?: string | undefined;
  readonly releasesFolder: string;
  readonly releasesDatabaseUrl?: string;
  readonly tokensFile?: string;
  readonly development?: boolean;
  /** Folders of builds, by remote; needs `development`. */
  readonly developmentBuilds?: Readonly<Record<string, string>>;
  readonly metricsToken?: string;
  readonly shellVariables?: Readonly<Record<string, string>>;
  readonly output?: ChildOptions['output'];
  /** Default: the build of this repository. */
  readonly shellFolder?: string;
}

export interface SiteOptions extends ShellServerOptions {
  readonly databaseUrl: string;
  readonly cookieSecret: string;
  readonly backendVariables?: Readonly<Record<string, string>>;
}

export type RunningSite = Awaited<ReturnType<typeof startSite>>;

/** Brings the database's schema up to date; needs no build of the backend. */
export async function migrate(databaseUrl: string): Promise<void> {
  const migration = [path.join(root, 'backend/src/migrate.ts')];
  const { code, output } = await runQuietly(migration, { environment: { DATABASE_URL: databaseUrl } });
  if (code !== 0) throw new Error(`${output}\n\nThe database could not be migrated; see above.`);
}

/** Waits until a started server responds at `/healthz`; stops one that does not. */
export async function untilHealthy(name: string, url: string, child: Child): Promise<void> {
  const limit = AbortSignal.timeout(60_000);
  for (;;) {
    if (hasEnded(child)) throw new CommandError(`The ${name} did not start; see its output above.`);
    if (limit.aborted) {
      child.kill();
      throw new CommandError(`The ${name} did not respond at ${url} within a minute.`);
    }
    const response = await fetch(`${url}/healthz`, { signal: limit }).catch(() => undefined);
    if (response?.ok) return;
    await delay(25);
  }
}

/** Returns that a server has exited, which it should not, once it has. */
export const ended = async (name: string, child: Child) => {
  await child;
  return `The ${name} exited unexpectedly.`;
};

function reachable(host: string): string {
  if (['0.0.0.0', '::'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Starts only the shell server; returns the process and its URL, once it responds.
 *
 * @param backendUrl by default nothing listens there, so every API call fails
 */
export async function startShellServer(options: ShellServerOptions, backendUrl = 'http://127.0.0.1:9') {
  const { port = await findFreePort(), host = 'localhost', development = false, output = 'inherit' } = options;
  const url = `http://${reachable(host)}:${port}`;
  const main = path.join(root, 'shell/server/main.ts');
  const child = startNode(options.shellFolder ? [main, options.shellFolder] : [main], {
    environment: {
      PORT: String(port),
      HOST: host,
      BACKEND_URL: backendUrl,
      RELEASES_FOLDER: options.releasesFolder,
      RELEASES_DATABASE_URL: options.releasesDatabaseUrl,
      TOKENS_FILE: options.tokensFile,
      METRICS_TOKEN: options.metricsToken,
      DRAIN_SECONDS: '0',
      DEVELOPMENT: String(development),
      DEVELOPMENT_BUILDS: development ? JSON.stringify(options.developmentBuilds ?? {}) : undefined,
      ...options.shellVariables,
    },
    output,
  });
  await untilHealthy('shell server', url, child);
  return { url, child };
}

type BackendOptions = Omit<SiteOptions, keyof ShellServerOptions> &
  Pick<ShellServerOptions, 'metricsToken' | 'development'>;

/** Starts a backend on a migrated database; returns the process and its URL, once it responds. */
export async function startBackend(options: BackendOptions) {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const watch = options.development ? ['--watch', '--watch-preserve-output'] : [];
  const child = startNode([...watch, path.join(root, 'backend/build/main.js')], {
    environment: {
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: options.databaseUrl,
      COOKIE_SECRET: options.cookieSecret,
      TRUSTED_PROXIES: '1',
      METRICS_TOKEN: options.metricsToken,
      DRAIN_SECONDS: '0',
      ...options.backendVariables,
    },
  });
  await untilHealthy('backend', url, child);
  return { url, child };
}

/** Starts backend and shell server on a migrated database; resolves once both respond. */
export async function startSite(options: SiteOptions) {
  const backend = await startBackend(options);
  const shell = await startShellServer(options, backend.url).catch(async (error) => {
    await stopChild(backend.child);
    throw error;
  });
  return {
    url: shell.url,
    backendUrl: backend.url,
    /** Resolves with a reason if a part exits unexpectedly. */
    broken: Promise.race([ended('backend', backend.child), ended('shell server', shell.child)]),
    /** Stops the shell server, then the backend; both finish requests in progress first. */
    stop: async () => {
      await stopChild(shell.child);
      await stopChild(backend.child);
    },
  };
}
