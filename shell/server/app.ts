import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Drain, registerAccessLog, serverOptions } from '@daybook/server';
import fastifyCookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import { registerApi } from './api-proxy.ts';
import { Counts } from './counts.ts';
import { registerComponentsPage } from './development/components-page.ts';
import { InPlaceBuilds } from './development/in-place.ts';
import { registerLiveReload, reloadScript } from './development/live-reload.ts';
import type { Environment } from './environment.ts';
import { decodableUrl, isOfApi, registerRequestChecks, sendFailure, sendMalformed } from './error-responses.ts';
import { registerFiles } from './files.ts';
import { registerHealth } from './health.ts';
import { Metrics, registerMetrics } from './metrics.ts';
import { registerOperatorsPage } from './operators/page.ts';
import { registerPreviews } from './pages/preview.ts';
import { registerPages } from './pages/route.ts';
import { registerSearchEngineFiles } from './pages/search-engine-routes.ts';
import { ShellBuild } from './pages/shell-build.ts';
import { registerRemoteIndex } from './pages/visitor.ts';
import { registerReleasesApi } from './publish/api.ts';
import { Callers } from './publish/caller.ts';
import { Blobs } from './releases/blobs.ts';
import { LiveSite } from './releases/live-site.ts';
import { Store } from './releases/store.ts';
import { registerReports } from './reports.ts';
import { registerSecurityHeaders, securityHeaders } from './security-headers.ts';

const defaultShellFolder = path.join(import.meta.dirname, '../build');

/** In ms. */
const stopTimeout = 5_000;

const publicFolder = path.join(import.meta.dirname, '../public');

export interface ShellServerOptions {
  readonly shellFolder?: string | undefined;
  readonly drain?: Drain;
}

/** Opens the database of releases; nothing runs before `live.start()`. */
function openSite(environment: Environment, log: FastifyBaseLogger, shellBuild: ShellBuild) {
  const { RELEASES_DATABASE_URL: url, RELEASES_FOLDER, DEVELOPMENT_BUILDS, tokens } = environment;
  const report = (problem: string) => log.error(problem);
  const folders = new Map(DEVELOPMENT_BUILDS.map(({ name, folder }) => [name, path.resolve(folder)]));
  const builds = new InPlaceBuilds(folders, report);
  const store = url ? new Store(url) : undefined;
  const folder = path.resolve(RELEASES_FOLDER);
  const blobs = new Blobs({
    folder: path.join(folder, 'cache'),
    fetch: async (hash) => store?.blob(hash),
    inPlace: (hash) => shellBuild.fileOf(hash) ?? builds.fileOf(hash),
    report,
  });
  const remotes = () => {
    tokens.refresh(report);
    return tokens.remotes;
  };
  const live = new LiveSite({
    ...{ store, blobs, folder, remotes, report },
    ...(folders.size > 0 && { inPlace: builds.add }),
    onRecovery: (message) => log.info(message),
  });
  return { store, blobs, live, builds };
}

const storeInterval = 10_000;

/** Stores the shell's own files, for servers of other versions; tries again until that works. */
async function storeShell(store: Store, shellBuild: ShellBuild, retained: number, signal: AbortSignal): Promise<void> {
  const { version } = shellBuild.manifest();
  const manifest = JSON.stringify({ files: shellBuild.files() });
  while (!signal.aborted) {
    try {
      return await store.storeShell(version, manifest, shellBuild.contents(), retained);
    } catch {
      await delay(storeInterval, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}

/** Creates the shell server; with `BACKEND_URL`, it also serves the API, for sites without an edge. */
export async function createShellServer(
  environment: Environment,
  { shellFolder = defaultShellFolder, drain = new Drain() }: ShellServerOptions = {},
): Promise<FastifyInstance> {
  const { settings, PUBLIC_URL: publicUrl, DEVELOPMENT: development, RELEASES_KEPT: retained } = environment;
  const isHttps = publicUrl.startsWith('https:');
  const shared = serverOptions({
    service: 'shell',
    level: environment.LOG_LEVEL,
    trustedProxies: environment.TRUSTED_PROXIES,
  });
  const app = Fastify({
    // Some URLs carry an email address.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    ...shared,
    rewriteUrl: (request) => decodableUrl(shared.rewriteUrl(request)),
    // Routes that take more have a limit of their own.
    bodyLimit: 1_000,
    frameworkErrors: (_error, request, reply: FastifyReply) => sendMalformed(request, reply.headers(securityHeaders)),
  });
  const shellBuild = new ShellBuild(shellFolder);
  const { store, blobs, live, builds } = openSite(environment, app.log, shellBuild);
  const metrics = new Metrics();
  metrics.follow(live);
  const counts = new Counts(metrics);

  drain.follow(app);
  registerAccessLog(app, (url) => !isOfApi(url));
  registerSecurityHeaders(app, isHttps);
  registerRequestChecks(app, publicUrl);
  app.setErrorHandler(sendFailure);
  // A CDN may cache a 404, and the file may come.
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).header('Cache-Control', 'no-store').type('text/plain').send('Not found\n'),
  );
  await app.register(fastifyCookie, { parseOptions: { secure: isHttps, httpOnly: true } });
  registerMetrics(app, metrics, environment);
  await app.register(rateLimit, { global: false });
  const callers = new Callers(app, environment.tokens);
  if (store) registerReleasesApi(app, { store, blobs, live, callers, counts, metrics, retained });
  registerOperatorsPage(app, live, callers, counts);
  registerReports(app, live, counts);
  registerHealth(app, drain, environment, live);
  await registerFiles(app, { live, blobs, shellBuild, publicFolder, development });
  if (environment.BACKEND_URL) await registerApi(app, environment.BACKEND_URL);
  if (development) {
    registerComponentsPage(app, shellBuild.folder);
    const folders = new Map([...builds.folders, ['shell', shellBuild.folder]]);
    registerLiveReload(app, () => [live.site.index(), shellBuild.manifest()], folders);
  }
  registerPreviews(app, live);
  registerRemoteIndex(app, live);
  registerSearchEngineFiles(app, () => live.site.index(), publicUrl);
  registerPages(app, {
    ...{ live, blobs, counts, metrics, shellBuild, settings, publicUrl },
    reloadScript: development ? reloadScript : undefined,
  });

  const stopped = new AbortController();
  let storing: Promise<void> | undefined;
  app.addHook('onReady', async () => {
    await live.start();
    if (store && !development) storing = storeShell(store, shellBuild, retained, stopped.signal);
  });
  app.addHook('onClose', async () => {
    stopped.abort();
    await Promise.race([Promise.all([live.stop(), storing]), delay(stopTimeout, undefined, { ref: false })]);
    await store?.close();
  });
  return app;
}
