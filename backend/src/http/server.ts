import { defaultBodyLimit } from '@daybook/contract/api';
import { type Drain, dataHeaders, deriveKey, errorResponseOf, registerAccessLog, serverOptions } from '@daybook/server';
import cookie, { type FastifyCookieOptions } from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import { type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import type { Environment } from '../environment.ts';
import { documentationPath } from './documentation.ts';
import { sendErrorResponse } from './error-response.filter.ts';

/** Allows inline styles: Swagger UI has some in its markup. */
const documentationPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";

export const fastifyOptions = ({ LOG_LEVEL: level, TRUSTED_PROXIES: trustedProxies }: Environment) => ({
  logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
  ...serverOptions({ service: 'backend', level, trustedProxies }),
  bodyLimit: defaultBodyLimit,
  // Requests that the router rejects, such as a malformed URL, never reach Nest and its filter.
  frameworkErrors: (error: Error, _request: unknown, reply: FastifyReply) =>
    sendErrorResponse(error, reply.headers(dataHeaders)),
});

/** Adds what requests need that never reach Nest. Hooks run in this order, and before those of Nest's modules. */
export async function prepareServer(server: FastifyInstance, environment: Environment, drain: Drain): Promise<void> {
  const { PUBLIC_URL: publicUrl } = environment;
  // Forms on other sites cannot send JSON, which helps against CSRF.
  server.removeContentTypeParser('text/plain');
  drain.follow(server);
  registerAccessLog(server);
  addSecurityHeaders(server, publicUrl?.startsWith('https:') ?? false);
  rejectInvalidRequests(server, publicUrl);
  limitBodies(server);
  await server.register(rateLimit, { global: false });
  await server.register(cookie, cookieOptions(environment));
}

/** Adds security headers to every response. `no-store` keeps responses with an email out of caches. */
function addSecurityHeaders(server: FastifyInstance, isHttps: boolean): void {
  server.addHook('onSend', (request, reply, _payload, done) => {
    if (isHttps) void reply.header('Strict-Transport-Security', 'max-age=31536000');
    const isDocumentation = request.routeOptions.url?.startsWith(documentationPath) === true;
    void reply.headers(dataHeaders);
    if (isDocumentation) void reply.header('Content-Security-Policy', documentationPolicy);
    else void reply.header('Cache-Control', 'no-store');
    done();
  });
}

/** Rejects invalid requests and writes from another site's page (CSRF) before anything else of them is read. */
function rejectInvalidRequests(server: FastifyInstance, publicUrl: string | undefined): void {
  server.addHook('onRequest', (request, reply, done) => {
    const body = errorResponseOf(request, publicUrl);
    if (!body) return done();
    if (body.statusCode === 400) void reply.header('Connection', 'close');
    // Also caused by a wrong PUBLIC_URL or a proxy that changes the host, which operators have to find.
    if (body.statusCode === 403)
      request.log.info({ method: request.method, status: 403, code: body.error }, body.message);
    void reply.code(body.statusCode).send(body);
  });
}

/** Applies the body limit of each call. Nest passes no other option of a route to Fastify than its config. */
function limitBodies(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const limit = route.config?.call?.bodyLimit;
    if (limit !== undefined) route.bodyLimit = limit;
  });
}

/** The keys are strings: for a buffer, Node 24 takes seven times as long to sign. */
const cookieOptions = ({ COOKIE_SECRET, PUBLIC_URL }: Environment): FastifyCookieOptions => ({
  secret: COOKIE_SECRET.map((secret) => deriveKey(secret, 'signup cookie').toString('base64url')),
  parseOptions: { secure: PUBLIC_URL?.startsWith('https:') ?? 'auto' },
});
