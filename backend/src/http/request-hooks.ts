import { dataHeaders, errorResponseOf, limitConnections, logErrorResponse, readRestOfBodies } from '@daybook/server';
import type { FastifyInstance } from 'fastify';

const documentation = '/api/docs';

/** Allows inline styles: Swagger UI has some in its markup. */
const documentationPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/**
 * Adds security headers to every response. `no-store` keeps responses with an e-mail address out of caches.
 *
 * @param isHttps whether visitors reach the site over https
 */
export function registerSecurityHeaders(server: FastifyInstance, isHttps: boolean): void {
  server.addHook('onSend', (request, reply, _payload, done) => {
    // HSTS for a year.
    if (isHttps) void reply.header('Strict-Transport-Security', 'max-age=31536000');
    const isDocumentation = request.routeOptions.url?.startsWith(documentation) === true;
    void reply.headers(dataHeaders);
    if (isDocumentation) void reply.header('Content-Security-Policy', documentationPolicy);
    else void reply.header('Cache-Control', 'no-store');
    done();
  });
}

/**
 * Rejects invalid requests before any other hook runs: no single valid host, an unexpected body, a too long URL, or a write
 * from another site's page (CSRF).
 *
 * @param publicUrl the site's origin as visitors know it
 */
export function rejectInvalidRequests(server: FastifyInstance, publicUrl: string | undefined): void {
  limitConnections(server.server);
  readRestOfBodies(server);
  // Nest passes on no other option of a route than its config (`handles.decorator.ts`).
  server.addHook('onRoute', (route) => {
    const { bodyLimit } = (route.config ?? {}) as { readonly bodyLimit?: number };
    if (bodyLimit !== undefined) route.bodyLimit = bodyLimit;
  });
  server.addHook('onRequest', (request, reply, done) => {
    const refusal = errorResponseOf(request, publicUrl);
    if (!refusal) return done();
    if (refusal.statusCode === 400) void reply.header('Connection', 'close');
    // Also caused by a wrong PUBLIC_URL or a proxy that changes the host, which operators have to find.
    if (refusal.statusCode === 403)
      logErrorResponse(request, 'info', { method: request.method, status: 403, code: refusal.error }, refusal.message);
    void reply.code(refusal.statusCode).send(refusal);
  });
}
