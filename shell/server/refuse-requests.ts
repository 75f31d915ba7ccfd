import { limitConnections, refusalOfRequest, refuseExpectations } from '@daybook/server';
import type { FastifyInstance } from 'fastify';
import { sendRefusal } from './failures.ts';

/**
 * Refuses, before anything else looks at it, what no server of this site serves.
 *
 * @param publicUrl the site's origin as visitors know it
 */
export function refuseRequests(app: FastifyInstance, publicUrl: string): void {
  limitConnections(app.server);
  refuseExpectations(app.server);
  app.addHook('onRequest', (request, reply, done) => {
    const refusal = refusalOfRequest(request, publicUrl);
    if (!refusal) return done();
    if (refusal.statusCode === 400) reply.header('Connection', 'close');
    sendRefusal(request, reply, refusal);
  });
}
