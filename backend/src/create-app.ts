import { createRequire } from 'node:module';
import { defaultBodyLimit } from '@daybook/contract/api';
import { type Drain, dataHeaders, deriveKey, registerAccessLog, registerTracing, serverOptions } from '@daybook/server';
import cookie, { type FastifyCookieOptions } from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyReply, LogController } from 'fastify';
import { appModule } from './app.module.ts';
import { registerDocumentation } from './documentation.ts';
import type { Environment } from './environment.ts';
import {
  ErrorResponseFilter,
  registerSecurityHeaders,
  rejectInvalidRequests,
  sendErrorResponse,
  validationPipe,
} from './http/index.ts';
import { registerRateLimits } from './limits/rate-limits.ts';
import { NestLogger } from './logging.ts';
import { Metrics, registerMetrics } from './metrics.ts';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

/**
 * Connects to the database and builds the application, ready to listen.
 *
 * @param drain begins when the server starts to shut down
 * @throws the driver's error when the database cannot be reached.
 */
export async function createApp(environment: Environment, drain: Drain): Promise<NestFastifyApplication> {
  const { LOG_LEVEL: level, TRUSTED_PROXIES: trustedProxies } = environment;
  const adapter = new FastifyAdapter({
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    ...serverOptions({ service: 'backend', level, trustedProxies }),
    bodyLimit: defaultBodyLimit,
    // Requests that the router rejects, such as a malformed URL, never reach Nest and its filter.
    frameworkErrors: (error: Error, _request: unknown, reply: FastifyReply) =>
      sendErrorResponse(error, reply.headers(dataHeaders)),
  });
  // JSON is the only content type of any call. Forms on other sites cannot send it, which helps against CSRF.
  adapter.getInstance().removeContentTypeParser('text/plain');
  // Before TypeORM loads `pg`.
  await registerTracing(adapter.getInstance(), environment.OTEL_EXPORTER_OTLP_ENDPOINT, {
    name: 'daybook-backend',
    version,
  });
  const app = await NestFactory.create<NestFastifyApplication>(appModule(environment, drain), adapter, {
    abortOnError: false,
    bodyParser: false,
    // The caller reports startup errors.
    logger: false,
  });
  const server = adapter.getInstance();
  app.useLogger(new NestLogger(server.log));
  drain.follow(server);
  registerAccessLog(server);
  registerMetrics(app, environment.METRICS_TOKEN);
  registerSecurityHeaders(server, environment.PUBLIC_URL?.startsWith('https:') ?? false);
  rejectInvalidRequests(server, environment.PUBLIC_URL);
  await app.register(rateLimit, { global: false });
  registerRateLimits(server, environment, app.get(Metrics));
  app.useGlobalPipes(validationPipe());
  app.useGlobalFilters(new ErrorResponseFilter());
  await app.register(cookie, cookieOptions(environment));
  await registerDocumentation(app);
  return app;
}

/**
 * Cookies that earlier versions signed with the secret itself stay valid: they last for 30 days. The keys are strings: for a
 * buffer, Node 24 takes seven times as long to sign, a tenth of a signup.
 */
const cookieOptions = ({ COOKIE_SECRET, PUBLIC_URL }: Environment): FastifyCookieOptions => ({
  secret: [
    ...COOKIE_SECRET.map((secret) => deriveKey(secret, 'signup cookie').toString('base64url')),
    ...COOKIE_SECRET,
  ],
  // Without PUBLIC_URL, the trusted proxy's X-Forwarded-Proto decides.
  parseOptions: { secure: PUBLIC_URL?.startsWith('https:') ?? 'auto' },
});
