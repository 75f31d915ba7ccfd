import type { ErrorBody } from '@daybook/contract';
import { errorResponseOf, hasTooManyInProgress, limitConnections } from '@daybook/server';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export const isOfApi = (url: string) => /^\/api(?:[/?]|$)/.test(url);

/** Answers a request in the form that its asker reads: the API's for a program, words for a person. */
export function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  { statusCode, message, error }: ErrorBody,
): FastifyReply {
  reply.code(statusCode);
  if (isOfApi(request.url)) return reply.send({ statusCode, message, error });
  return reply.type('text/plain; charset=utf-8').send(`${message}\n`);
}

/** Answers an address that is none. It is not repeated: it may hold somebody's e-mail address. */
export function sendMalformed(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const message = 'The address of the request is malformed.';
  return sendRefusal(request, reply, { statusCode: 400, message, error: 'BAD_REQUEST' });
}

/** Answers what went wrong in this server; the log has the route and the reason, the visitor neither. */
export function sendFailure(failure: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const statusCode = failure.statusCode ?? 500;
  if (statusCode < 500)
    return sendRefusal(request, reply, { statusCode, message: failure.message, error: 'BAD_REQUEST' });
  const { method, routeOptions, log } = request;
  const fields = { method, route: routeOptions.url, status: statusCode, err: failure };
  log.error(fields, `${method} ${routeOptions.url}: ${failure.message}`);
  const message = 'Something went wrong on our side. Please try again in a minute.';
  return sendRefusal(request, reply, { statusCode, message, error: 'INTERNAL' });
}

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
  app.addHook('onRequest', (request, reply, done) => {
    if (hasTooManyInProgress(reply.raw)) {
      sendRefusal(request, reply.header('Connection', 'close').header('Retry-After', '1'), tooManyRequests);
      return;
    }
    const refusal = errorResponseOf(request, publicUrl);
    if (!refusal) return done();
    if (refusal.statusCode === 400) reply.header('Connection', 'close');
    sendRefusal(request, reply, refusal);
  });
}
