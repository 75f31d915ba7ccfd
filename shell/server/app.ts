import path from 'node:path';
import { Drain, deleteCookiesPath, registerAccessLog, registerTracing, serverOptions } from '@daybook/server';
import fastifyCookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import { registerApi } from './api/api-proxy.ts';
import { registerComponentsPage } from './development/components-page.ts';
import { registerLiveReload, reloadScript } from './development/live-reload.ts';
import type { Environment } from './environment.ts';
import { decodableUrl, isOfApi, registerRequestChecks, sendFailure, sendMalformed } from './error-responses.ts';
import { registerFiles } from './files/file-routes.ts';
import { registerHealth } from './health-routes.ts';
import { registerMetrics } from './metrics.ts';
import { OperatorAccess } from './operator/operator-access.ts';
import { registerReleasesPage } from './operator/releases-page/releases-page-routes.ts';
import { cookieSigner } from './pages/cookie-signer.ts';
import { registerPages } from './pages/page-routes.ts';
import { registerSearchEngineFiles } from './pages/search-engine-routes.ts';
import { ShellBuild } from './pages/shell-build.ts';
import { registerRemoteIndex } from './pages/visitor-index.ts';
import { registerPreviews } from './preview/preview-routes.ts';
import type { SiteRegistry } from './registry/site-registry.ts';
import { registerReleasesApi } from './releases-api/releases-api-routes.ts';
import { registerSecurityHeaders, securityHeaders } from './security-headers.ts';
import { openSite } from './site.ts';
import { registerReports } from './stats/report-routes.ts';

/** The shell's build, independent of the working directory. */
const defaultShellFolder = path.join(import.meta.dirname, '../build');

const publicFolder = path.join(import.meta.dirname, '../public');

export interface ShellServerOptions {
  readonly shellFolder?: string | undefined;
  readonly drain?: Drain;
  /** By default that of `RELEASES_DATABASE_URL`. */
  readonly registry?: SiteRegistry;
}

/**
 * Creates the shell server: pages, and files of shell and remotes; with `BACKEND_URL`, also the API, for sites without an
 * edge.
 */
export async function createShellServer(
  environment: Environment,
  { shellFolder = defaultShellFolder, drain = new Drain(), registry }: ShellServerOptions = {},
): Promise<FastifyInstance> {
  const { settings, PUBLIC_URL: publicUrl, DEVELOPMENT: development, operatorTokens, operatorSecret } = environment;
  const isHttps = publicUrl.startsWith('https:');
  const shared = serverOptions({
    service: 'shell',
    level: environment.LOG_LEVEL,
    trustedProxies: environment.TRUSTED_PROXIES,
  });
  const app = Fastify({
    // Fastify's own request log has URLs, and some URLs carry an email address.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    ...shared,
    rewriteUrl: (request) => decodableUrl(shared.rewriteUrl(request)),
    // Routes that take more have a limit of their own; others must not buffer what nobody reads.
    bodyLimit: 1_000,
    // Requests that the router rejects, such as malformed URLs of the API, never reach a route or a hook.
    frameworkErrors: (_error, request, reply: FastifyReply) => sendMalformed(request, reply.headers(securityHeaders)),
  });
  const shellBuild = new ShellBuild(shellFolder);
  const site = openSite({ environment, log: app.log, shellBuild, registry });
  const { releases, live, management, stats, metrics } = site;

  drain.follow(app);
  const { version } = shellBuild.manifest();
  await registerTracing(app, environment.OTEL_EXPORTER_OTLP_ENDPOINT, { name: 'daybook-shell', version });
  // Pages and files have metrics, so they are logged at the level debug.
  registerAccessLog(app, (url) => !isOfApi(url));
  registerSecurityHeaders(app, isHttps);
  registerRequestChecks(app, publicUrl);
  app.setErrorHandler(sendFailure);
  // A CDN may cache a 404 for minutes: of a file that this server does not have yet, or of a release not published yet.
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).header('Cache-Control', 'no-store').type('text/plain').send('Not found\n'),
  );
  // Default of all cookies; does not depend on what a proxy states about the request.
  const signer = cookieSigner(operatorSecret);
  await app.register(fastifyCookie, { secret: signer, parseOptions: { secure: isHttps, httpOnly: true } });
  registerMetrics(app, metrics, environment);
  // Limits of single routes count by themselves.
  await app.register(rateLimit, { global: false });
  const access = new OperatorAccess(app, operatorTokens);
  const { teamKeys } = environment;
  registerReleasesApi(app, { management, registry: site.registry, teamKeys, publicUrl, access, metrics });
  if (operatorTokens.length > 0) registerReleasesPage(app, { management, stats, access });
  registerReports(app, { releases, stats });
  registerHealth(app, drain, environment, () => releases.remoteIndex(), live);
  await registerFiles(app, { releases, shellBuild, live, publicFolder, development });
  if (environment.BACKEND_URL) await registerApi(app, environment.BACKEND_URL);
  if (development) {
    const folders = new Map([...site.watched, ['shell', shellBuild.folder]]);
    registerComponentsPage(app, shellBuild.folder);
    registerLiveReload(app, () => [releases.remoteIndex(), shellBuild.manifest()], folders);
  }
  registerPreviews(app, releases);
  // The button of the page for too large headers; with those, the HTTP parser responds.
  app.post(deleteCookiesPath, (_request, reply) => reply.redirect('/', 303));
  registerRemoteIndex(app, releases);
  registerSearchEngineFiles(app, () => releases.remoteIndex(), publicUrl);
  registerPages(app, {
    releases,
    stats,
    metrics,
    shellBuild,
    settings,
    publicUrl,
    reloadScript: development ? reloadScript : undefined,
  });

  app.addHook('onReady', () => site.start());
  app.addHook('onClose', () => site.stop());
  return app;
}
