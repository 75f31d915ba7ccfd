import path from 'node:path';
import {
  answerParserRefusal,
  connectionOptions,
  Drain,
  logOptions,
  registerTracing,
  requestIdOf,
} from '@daybook/server';
import fastifyCookie from '@fastify/cookie';
import Fastify, { type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import { registerAccessLog } from './access-log.ts';
import { registerApi } from './api/api-forwarding.ts';
import { Backends } from './api/backends.ts';
import { registerLiveReload } from './development/live-reload.ts';
import type { Environment } from './environment.ts';
import { sendFailure, sendMalformed } from './failures.ts';
import { registerFiles } from './files/file-routes.ts';
import { KeptShellBuilds } from './files/kept-shell-builds.ts';
import { registerPublicFiles } from './files/public-files.ts';
import { registerHealth } from './health/health-routes.ts';
import { registerReports } from './outcomes/report-routes.ts';
import { registerPages } from './pages/page-routes.ts';
import { registerRegistry } from './pages/registry-route.ts';
import { registerSearchEngineFiles } from './pages/search-engine-routes.ts';
import { ShellBuild } from './pages/shell-build.ts';
import { refuseRequests } from './refuse-requests.ts';
import { registerSecurityHeaders, securityHeaders } from './security-headers.ts';
import { serveDistFolders, serveMirroredReleases } from './served-releases.ts';

/** Where the shell's build is, from any working directory. */
const defaultShellFolder = path.join(import.meta.dirname, '../dist');

const publicFolder = path.join(import.meta.dirname, '../public');

/** Another build of the shell is looked for this often, in ms: to ask the disk for each page costs a third of its answer. */
const buildLookInterval = 1_000;

export interface ShellServerOptions {
  /** Where the shell's build is. */
  readonly shellFolder?: string;
  /** Tells when the server is about to stop. */
  readonly drain?: Drain;
}

/** The shell server: pages, files of shell and remotes, and the way to the API, under one origin. */
export async function createShellServer(
  environment: Environment,
  { shellFolder = defaultShellFolder, drain = new Drain() }: ShellServerOptions = {},
): Promise<FastifyInstance> {
  const { settings, publicUrl, trustedProxies, development } = environment;
  const app = Fastify({
    logger: logOptions({ service: 'shell', level: environment.logLevel }),
    // Fastify's own lines have addresses, and those of the journey carry an e-mail address.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: ({ headers }) => requestIdOf(headers, trustedProxies > 0),
    // What still comes in over a connection that is open is served.
    return503OnClosing: false,
    ...connectionOptions(),
    clientErrorHandler: answerParserRefusal,
    trustProxy: (_address, hop) => hop < trustedProxies,
    // What the router refuses, such as a malformed address, never reaches a route or a hook.
    frameworkErrors: (_error, request, reply: FastifyReply) => sendMalformed(request, reply.headers(securityHeaders)),
  });
  const shellBuild = new ShellBuild(shellFolder, { lookInterval: development ? 0 : buildLookInterval });

  drain.follow(app);
  const { version } = shellBuild.manifest();
  await registerTracing(app, environment.tracesEndpoint, { name: 'daybook-shell', version });
  registerAccessLog(app);
  registerSecurityHeaders(app, publicUrl);
  refuseRequests(app, publicUrl);
  app.setErrorHandler(sendFailure);
  app.setNotFoundHandler((_request, reply) => reply.code(404).type('text/plain').send('Not found\n'));
  // Default of all cookies of this server; what a proxy says of a request decides nothing.
  await app.register(fastifyCookie, { parseOptions: { secure: publicUrl.startsWith('https:'), httpOnly: true } });
  const { releases, outcomes, analysis, onNotComposed } = development
    ? serveDistFolders(app, environment)
    : serveMirroredReleases(app, environment);
  registerReports(app, { releases, outcomes, analysis });
  const backends = new Backends(environment.backends, (problem) => app.log.warn(problem));
  app.addHook('onReady', async () => backends.watch());
  app.addHook('onClose', async () => backends.stop());
  registerHealth(app, { drain, backends, registry: () => releases.registry() });
  const keptBuilds = development ? undefined : keepBuilds(app, environment, shellBuild);
  await registerFiles(app, { releases, shellBuild, keptBuilds, development });
  registerPublicFiles(app, publicFolder);
  await registerApi(app, backends);
  if (development) registerLiveReload(app, () => [releases.registry(), shellBuild.manifest()]);
  registerRegistry(app, releases, analysis);
  registerSearchEngineFiles(app, () => releases.registry(), publicUrl);
  registerPages(app, {
    releases,
    outcomes,
    analysis,
    shellBuild,
    settings,
    publicUrl,
    development,
    onNotComposed,
  });
  return app;
}

/** Keeps the shell's build for pages of this version that come to other servers; to serve the site does not depend on it. */
function keepBuilds(
  app: FastifyInstance,
  { releasesFolder, releasesKept }: Environment,
  shellBuild: ShellBuild,
): KeptShellBuilds {
  const builds = new KeptShellBuilds(releasesFolder, releasesKept);
  // Before the first page of this version is served.
  app.addHook('onReady', () =>
    builds.add(shellBuild).catch(({ message }: Error) => {
      app.log.error(`The shell's files can't be kept in ${releasesFolder}: ${message}`);
    }),
  );
  return builds;
}
