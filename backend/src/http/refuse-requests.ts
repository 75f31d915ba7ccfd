import { limitConnections, refusalOfRequest, refuseExpectations } from '@daybook/server';
import type { FastifyInstance } from 'fastify';

/**
 * Refuses, before anything else looks at it, what no server of this site serves.
 *
 * @param publicUrl the site's origin as visitors know it
 */
export function refuseRequests(server: FastifyInstance, publicUrl: string | undefined): void {
  limitConnections(server.server);
  refuseExpectations(server.server);
  server.addHook('onRequest', (request, reply, done) => {
    const refusal = refusalOfRequest(request, publicUrl);
    if (!refusal) return done();
    if (refusal.statusCode === 400) void reply.header('Connection', 'close');
    void reply.code(refusal.statusCode).send(refusal);
  });
}
