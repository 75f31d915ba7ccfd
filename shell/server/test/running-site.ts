import path from 'node:path';
import type { Drain } from '@daybook/server';
import Fastify, { type FastifyInstance } from 'fastify';
import { createShellServer } from '../app.ts';
import { parseEnvironment } from '../environment.ts';
import { createTemporarySite, type TemporarySite } from './temporary-site.ts';

/** A shell server that listens, in front of a backend that does. */
export interface RunningSite {
  readonly address: string;
  readonly site: TemporarySite;
  readonly backend: FastifyInstance;
  stop(): Promise<void>;
}

export interface RunningSiteOptions {
  /** Adds the calls of the backend. */
  readonly backendCalls?: (backend: FastifyInstance) => void;
  /** Prepares releases; `mf-legal` and `mf-signup` are served. */
  readonly prepare?: (site: TemporarySite) => unknown;
  readonly variables?: Readonly<Record<string, string>>;
  readonly drain?: Drain;
}

const onAnyPort = { host: '127.0.0.1', port: 0 };

/** Starts both on free ports of 127.0.0.1. */
export async function startRunningSite({
  backendCalls = () => undefined,
  prepare = () => undefined,
  variables = {},
  drain,
}: RunningSiteOptions = {}): Promise<RunningSite> {
  const site = createTemporarySite();
  prepare(site);
  const backend = Fastify({ bodyLimit: 100_000 });
  backendCalls(backend);
  const environment = parseEnvironment({
    BACKEND_URL: await backend.listen(onAnyPort),
    REMOTES: ['mf-legal', 'mf-signup'].map((name) => `${name}=file:${site.folderOf(name)}`).join(','),
    RELEASES_FOLDER: path.join(site.folder, 'releases'),
    RELEASES_INTERVAL: '0.05',
    // To see what a failing test's server tells: LOG_LEVEL=debug npm test -- units …
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    ...variables,
  });
  const shell = await createShellServer(environment, { shellFolder: site.shellFolder, ...(drain ? { drain } : {}) });
  return {
    address: await shell.listen(onAnyPort),
    site,
    backend,
    stop: async () => {
      await shell.close();
      await backend.close();
      site.remove();
    },
  };
}
