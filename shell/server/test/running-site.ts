import path from 'node:path';
import type { Release } from '@daybook/contract/release';
import { hashOfToken, newPreviewToken } from '@daybook/releases';
import { integrity, newSigner, releaseOf, routeOf, versionOf } from '@daybook/testing/releases';
import { createTemporaryBuilds, type TemporaryBuilds } from '@daybook/testing/temporary-builds';
import { afterAll } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { createShellServer } from '../app.ts';
import { parseEnvironment } from '../environment.ts';
import type { SiteRegistry } from '../registry/site-registry.ts';
import { MemorySiteRegistry } from './memory-site-registry.ts';
import { metricsToken } from './operator.ts';
import { sendParts, signedPush } from './pushing.ts';

/** A listening shell server with a listening backend. */
export interface RunningSite {
  readonly url: string;
  readonly site: TemporaryBuilds;
  readonly backend: FastifyInstance;
  readonly registry: SiteRegistry;
  /** Publishes a release whose files have this content, as its team; returns what was published. */
  publish(release: Release, content?: string): Promise<Release>;
  /** Publishes a release as a preview, as its team; returns the token of its link. */
  preview(release: Release, content?: string): Promise<string>;
  stop(): Promise<void>;
}

export interface RunningSiteOptions {
  /** Adds the backend's routes. */
  readonly backendCalls?: (backend: FastifyInstance) => void;
  /** Prepares releases of `mf-legal` and `mf-signup`, which are published. */
  readonly prepare?: (site: TemporaryBuilds) => unknown;
  readonly variables?: Readonly<Record<string, string>>;
  /** By default an empty one in memory; servers with the same one are replicas. */
  readonly registry?: SiteRegistry;
}

const onAnyPort = { host: '127.0.0.1', port: 0 };

/** The teams of the site's remotes. */
export const teams = new Map(['mf-legal', 'mf-signup'].map((name) => [name, newSigner()]));

export const teamKeys = [...teams].map(([name, { publicKey }]) => `${name}:${publicKey}`).join(',');

const running = new Set<RunningSite>();
afterAll(async () => {
  for (const site of running) await site.stop();
});

/** Starts both on free ports of 127.0.0.1; they stop after the tests of the file. */
export async function startRunningSite({
  backendCalls = () => undefined,
  prepare = () => undefined,
  variables = {},
  registry = new MemorySiteRegistry(),
}: RunningSiteOptions = {}): Promise<RunningSite> {
  const site = createTemporaryBuilds();
  prepare(site);
  const backend = Fastify({ bodyLimit: 100_000 });
  backendCalls(backend);
  const environment = parseEnvironment({
    BACKEND_URL: await backend.listen(onAnyPort),
    TEAM_KEYS: teamKeys,
    // Unused: the registry is passed.
    RELEASES_DATABASE_URL: 'postgres://127.0.0.1:9/none',
    RELEASES_FOLDER: path.join(site.folder, 'releases'),
    METRICS_TOKEN: metricsToken,
    // To see what a failing test's server logs: LOG_LEVEL=debug npm test -- units …
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    ...variables,
  });
  const shell = await createShellServer(environment, { shellFolder: site.shellFolder, registry });
  const url = await shell.listen(onAnyPort);
  const push = async (release: Release, query = '') => {
    const signer = teams.get(release.name);
    if (!signer) throw new Error(`${release.name} has no team`);
    const parts = Object.keys(release.files).map((file) => [file, site.read(release.name, file)] as const);
    const pushed = await signedPush({
      text: JSON.stringify(release),
      parts,
      signer,
      remote: release.name,
      query,
      site: environment.PUBLIC_URL,
    });
    const response = await sendParts(url, pushed.path, pushed.token, pushed.parts);
    if (response.status >= 300) throw new Error(response.text);
  };
  const started: RunningSite = {
    url,
    site,
    backend,
    registry,
    publish: async (release, content) => {
      const whole = site.release(release, content);
      await push(whole);
      return whole;
    },
    preview: async (release, content) => {
      const token = newPreviewToken();
      await push(site.release(release, content), `?preview=${hashOfToken(token)}`);
      return token;
    },
    stop: async () => {
      if (!running.delete(started)) return;
      await shell.close();
      await backend.close();
      site.remove();
    },
  };
  running.add(started);
  for (const name of teams.keys()) {
    const release = site.released(name);
    if (release) await push(release);
  }
  return started;
}

/** The nth release of `mf-legal`, with the page /terms. */
export function legalRelease(number: number) {
  const entry = `remoteEntry.0000000${number}.js`;
  const files = { [entry]: { integrity, size: 7 } };
  return releaseOf('mf-legal', { version: versionOf(number), entry, files, routes: [routeOf('/terms')] });
}

/** Prepares a site with the pages /terms and /. */
export function prepareTwoRemotes(site: TemporaryBuilds): void {
  site.release(legalRelease(1));
  site.release(releaseOf('mf-signup', { version: versionOf(1), routes: [routeOf('/')] }));
}
