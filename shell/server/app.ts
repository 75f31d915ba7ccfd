import path from 'node:path';
import fastifyCookie from '@fastify/cookie';
import Fastify, { type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import { registerApi } from './api/api-forwarding.ts';
import { registerLiveReload } from './development/live-reload.ts';
import type { Environment } from './environment.ts';
import { sendFailure, sendMalformed } from './failures.ts';
import { registerFiles } from './files/file-routes.ts';
import { registerPublicFiles } from './files/public-files.ts';
import { registerReports } from './outcomes/report-routes.ts';
import { registerPages } from './pages/page-routes.ts';
import { registerRegistry } from './pages/registry-route.ts';
import { registerSearchEngineFiles } from './pages/search-engine-routes.ts';
import { ShellBuild } from './pages/shell-build.ts';
import { registerSecurityHeaders, securityHeaders } from './security-headers.ts';
import { serveDistFolders, serveMirroredReleases } from './served-releases.ts';

/** A request that has not arrived whole after this many ms is cut off. */
const requestTimeout = 30_000;

/** Where the shell's build is, from any working directory. */
const defaultShellFolder = path.join(import.meta.dirname, '../dist');

const publicFolder = path.join(import.meta.dirname, '../public');

/** The shell server: pages, files of shell and remotes, and the way to the API, under one origin. */
export async function createShellServer(
  environment: Environment,
  shellFolder = defaultShellFolder,
): Promise<FastifyInstance> {
  const { settings, publicUrl, backendUrl, trustedProxies, development } = environment;
  const app = Fastify({
    logger: { level: 'warn' },
    // Requests are not logged: addresses of the journey carry an e-mail address.
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout,
    trustProxy: (_address, hop) => hop < trustedProxies,
    // What the router refuses, such as a malformed address, never reaches a route or a hook.
    frameworkErrors: (_error, request, reply: FastifyReply) => sendMalformed(request, reply.headers(securityHeaders)),
  });
  const shellBuild = new ShellBuild(shellFolder);
  shellBuild.manifest();

  registerSecurityHeaders(app);
  app.setErrorHandler(sendFailure);
  app.setNotFoundHandler((_request, reply) => reply.code(404).type('text/plain').send('Not found\n'));
  await app.register(fastifyCookie);
  const { releases, outcomes } = development
    ? serveDistFolders(app, environment)
    : serveMirroredReleases(app, environment);
  registerReports(app, releases, outcomes);
  app.get('/healthz', () => ({ status: 'ok' }));
  await registerFiles(app, { releases, shellBuild, development });
  registerPublicFiles(app, publicFolder);
  await registerApi(app, backendUrl);
  if (development) registerLiveReload(app, () => [releases.registry(), shellBuild.manifest()]);
  registerRegistry(app, releases);
  registerSearchEngineFiles(app, () => releases.registry(), publicUrl);
  registerPages(app, { releases, outcomes, shellBuild, settings, publicUrl, development });
  return app;
}
