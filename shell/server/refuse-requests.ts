import type { ErrorBody } from '@daybook/contract';
import { hasTooManyUnderWay, limitConnections, refusalOfRequest, refuseExpectations } from '@daybook/server';
import type { FastifyInstance } from 'fastify';
import { sendRefusal } from './failures.ts';

const tooManyRequests: ErrorBody = {
  statusCode: 429,
  message: 'Too many requests at once. Please wait for the responses.',
  error: 'TOO_MANY_REQUESTS',
};

/**
 * Refuses, before anything else looks at it, what no server of this site serves.
 *
 * @param publicUrl the site's origin as visitors know it
 */
export function refuseRequests(app: FastifyInstance, publicUrl: string): void {
  limitConnections(app.server);
  refuseExpectations(app.server);
  app.addHook('onRequest', (request, reply, done) => {
    if (hasTooManyUnderWay(reply.raw)) {
      sendRefusal(request, reply.header('Connection', 'close').header('Retry-After', '1'), tooManyRequests);
      return;
    }
    const refusal = refusalOfRequest(request, publicUrl);
    if (!refusal) return done();
    if (refusal.statusCode === 400) reply.header('Connection', 'close');
    sendRefusal(request, reply, refusal);
  });
}
