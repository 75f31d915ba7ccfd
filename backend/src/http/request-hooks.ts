import { dataHeaders, errorResponseOf, limitConnections } from '@daybook/server';
import type { FastifyInstance } from 'fastify';

const documentation = '/api/docs';

/** The pages that show the API bring styles of their own in their markup. */
const documentationPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Adds security headers to every response. No cache on the way stores those that may hold an e-mail address. */
export function registerSecurityHeaders(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, _payload, done) => {
    const isDocumentation = request.url.startsWith(documentation);
    void reply.headers(dataHeaders);
    if (isDocumentation) void reply.header('Content-Security-Policy', documentationPolicy);
    else void reply.header('Cache-Control', 'no-store');
    done();
  });
}

/**
 * Rejects, before any other hook, requests that no server of this site serves.
 *
 * @param publicUrl the site's origin as visitors know it
 */
export function refuseRequests(server: FastifyInstance, publicUrl: string | undefined): void {
  limitConnections(server.server);
  server.addHook('onRequest', (request, reply, done) => {
    const refusal = errorResponseOf(request, publicUrl);
    if (!refusal) return done();
    if (refusal.statusCode === 400) void reply.header('Connection', 'close');
    void reply.code(refusal.statusCode).send(refusal);
  });
}
