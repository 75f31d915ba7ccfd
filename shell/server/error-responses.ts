import type { ErrorBody } from '@daybook/contract/api';
import { errorResponseOf } from '@daybook/server';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export const isOfApi = (url: string) => /^\/api(?:[/?]|$)/.test(url);

/** Escapes each `%` of a page's path that does not decode, so that it gets the 404 page. The API rejects it. */
export function decodableUrl(url: string): string {
  const [path = ''] = url.split('?', 1);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return isOfApi(url) ? url : path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

function sendErrorBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { statusCode, message, error }: ErrorBody,
): FastifyReply {
  reply.code(statusCode);
  if (isOfApi(request.url)) return reply.send({ statusCode, message, error });
  return reply.type('text/plain; charset=utf-8').send(`${message}\n`);
}

export function sendMalformed(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const message = 'The address of the request is malformed.';
  return sendErrorBody(request, reply, { statusCode: 400, message, error: 'BAD_REQUEST' });
}

export function sendFailure(failure: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const statusCode = failure.statusCode ?? 500;
  if (statusCode < 500)
    return sendErrorBody(request, reply, { statusCode, message: failure.message, error: 'BAD_REQUEST' });
  const { method, routeOptions } = request;
  const fields = { method, route: routeOptions.url, status: statusCode, err: failure };
  request.log.error(fields, `${method} ${routeOptions.url}: ${failure.message}`);
  const message = 'Something went wrong on our side. Please try again in a minute.';
  return sendErrorBody(request, reply, { statusCode, message, error: 'INTERNAL' });
}

/** Rejects malformed and cross-origin requests before any other hook or route runs. */
export function registerRequestChecks(app: FastifyInstance, publicUrl: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    const body = errorResponseOf(request, publicUrl);
    if (!body) return done();
    if (body.statusCode === 400) reply.header('Connection', 'close');
    // A wrong PUBLIC_URL causes it too.
    if (body.statusCode === 403)
      request.log.info({ method: request.method, status: 403, code: body.error }, body.message);
    sendErrorBody(request, reply, body);
  });
}
