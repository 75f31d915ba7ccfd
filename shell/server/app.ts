import path from 'node:path';
import Fastify, { type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import { registerApi } from './api/api-forwarding.ts';
import { DevelopmentReleases } from './development/development-releases.ts';
import { DistFolder } from './development/dist-folder.ts';
import { registerLiveReload } from './development/live-reload.ts';
import type { Environment } from './environment.ts';
import { sendFailure, sendMalformed } from './failures.ts';
import { registerFiles } from './files/file-routes.ts';
import { registerPublicFiles } from './files/public-files.ts';
import { registerPages } from './pages/page-routes.ts';
import { registerSearchEngineFiles } from './pages/search-engine-routes.ts';
import { ShellBuild } from './pages/shell-build.ts';
import { mirrorReleases } from './releases/mirrored-releases.ts';
import { openReleases } from './releases/release-management.ts';
import type { SiteReleases } from './releases/site-releases.ts';
import { registerSecurityHeaders, securityHeaders } from './security-headers.ts';

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
    routerOptions: { ignoreTrailingSlash: true },
    // What the router refuses, such as a malformed address, never reaches a route or a hook.
    frameworkErrors: (_error, request, reply: FastifyReply) => sendMalformed(request, reply.headers(securityHeaders)),
  });
  const report = (problem: string) => app.log.error(problem);
  const shellBuild = new ShellBuild(shellFolder);
  const releases = development ? serveDistFolders(environment, report) : serveMirrored(app, environment, report);
  shellBuild.manifest();

  registerSecurityHeaders(app);
  app.setErrorHandler(sendFailure);
  app.setNotFoundHandler((_request, reply) => reply.code(404).type('text/plain').send('Not found\n'));
  app.get('/healthz', () => ({ status: 'ok' }));
  await registerFiles(app, { releases, shellBuild, development });
  registerPublicFiles(app, publicFolder);
  await registerApi(app, backendUrl);
  if (development) registerLiveReload(app, () => [releases.registry(), shellBuild.manifest()]);
  registerSearchEngineFiles(app, () => releases.registry(), publicUrl);
  registerPages(app, { releases, shellBuild, settings, publicUrl, development });
  return app;
}

function serveDistFolders({ remotes }: Environment, report: (problem: string) => void): SiteReleases {
  const folders = remotes.map(({ name, origin }) => new DistFolder(name, origin.replace(/^file:/, ''), report));
  return new DevelopmentReleases(folders, report);
}

/** The releases of the store; mirrors run from when the server is ready until it closes. */
function serveMirrored(
  app: FastifyInstance,
  environment: Environment,
  report: (problem: string) => void,
): SiteReleases {
  const names = environment.remotes.map(({ name }) => name);
  const mirrored = mirrorReleases({
    environment,
    management: openReleases(environment.releasesFolder, names, report),
    onProblem: (remote, { message }) => report(`${remote}: ${message}`),
    onError: (error) => report(String(error)),
  });
  app.addHook('onReady', () => mirrored.start());
  app.addHook('onClose', () => mirrored.stop());
  return mirrored.releases;
}
