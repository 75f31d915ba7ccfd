import { dataHeaders } from '@daybook/server';
import type { FastifyInstance } from 'fastify';

const documentation = '/api/docs';

/** The pages that show the API bring styles of their own in their markup. */
const documentationPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Gives every answer its security headers. Those that may hold an e-mail address are kept by nobody on the way. */
export function registerSecurityHeaders(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, _payload, done) => {
    const isDocumentation = request.url.startsWith(documentation);
    void reply.headers(dataHeaders);
    if (isDocumentation) void reply.header('Content-Security-Policy', documentationPolicy);
    else void reply.header('Cache-Control', 'no-store');
    done();
  });
}
