import path from 'node:path';
import { MemoryRegistry, type SiteRegistry } from '@daybook/releases/server';
import { afterAll } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { versionOf } from '../../../packages/releases/src/test/release-folder.ts';
import {
  createTemporarySite,
  integrity,
  releaseOf,
  routeOf,
  type TemporarySite,
} from '../../../packages/releases/src/test/temporary-site.ts';
import { createShellServer } from '../app.ts';
import { parseEnvironment } from '../environment.ts';
import { metricsToken } from './operator.ts';

/** A listening shell server with a listening backend. */
export interface RunningSite {
  readonly address: string;
  readonly site: TemporarySite;
  readonly backend: FastifyInstance;
  readonly registry: SiteRegistry;
  stop(): Promise<void>;
}

export interface RunningSiteOptions {
  /** Adds the backend's routes. */
  readonly backendCalls?: (backend: FastifyInstance) => void;
  /** Prepares releases; `mf-legal` and `mf-signup` are served. */
  readonly prepare?: (site: TemporarySite) => unknown;
  readonly variables?: Readonly<Record<string, string>>;
  /** Addresses of origins that are not folders of the site, by remote. */
  readonly origins?: Readonly<Record<string, string>>;
  /** By default an empty one in memory; servers with the same one are replicas. */
  readonly registry?: SiteRegistry;
}

const onAnyPort = { host: '127.0.0.1', port: 0 };

const running = new Set<RunningSite>();
afterAll(async () => {
  for (const site of running) await site.stop();
});

/** Starts both on free ports of 127.0.0.1; they stop after the tests of the file. */
export async function startRunningSite({
  backendCalls = () => undefined,
  prepare = () => undefined,
  variables = {},
  origins = {},
  registry = new MemoryRegistry(),
}: RunningSiteOptions = {}): Promise<RunningSite> {
  const site = createTemporarySite();
  prepare(site);
  const backend = Fastify({ bodyLimit: 100_000 });
  backendCalls(backend);
  const environment = parseEnvironment({
    BACKEND_URL: await backend.listen(onAnyPort),
    REMOTES: ['mf-legal', 'mf-signup']
      .map((name) => `${name}=${origins[name] ?? `file:${site.folderOf(name)}`}`)
      .join(','),
    RELEASES_FOLDER: path.join(site.folder, 'releases'),
    RELEASES_INTERVAL: '0.05',
    METRICS_TOKEN: metricsToken,
    // To see what a failing test's server logs: LOG_LEVEL=debug npm test -- units …
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    ...variables,
  });
  const shell = await createShellServer(environment, { shellFolder: site.shellFolder, registry });
  const started: RunningSite = {
    address: await shell.listen(onAnyPort),
    site,
    backend,
    registry,
    stop: async () => {
      if (!running.delete(started)) return;
      await shell.close();
      await backend.close();
      site.remove();
    },
  };
  running.add(started);
  return started;
}

/** The nth release of `mf-legal`, with the page /terms. */
export function legalRelease(number: number) {
  const entry = `remoteEntry.0000000${number}.js`;
  const files = { [entry]: { integrity, size: 7 } };
  return releaseOf('mf-legal', { version: versionOf(number), entry, files, routes: [routeOf('/terms')] });
}

/** Prepares a site with the pages /terms and /. */
export function prepareTwoRemotes(site: TemporarySite): void {
  site.release(legalRelease(1));
  site.release(releaseOf('mf-signup', { version: versionOf(1), routes: [routeOf('/')] }));
}
