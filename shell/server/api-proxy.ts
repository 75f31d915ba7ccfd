import type { ErrorBody } from '@daybook/contract/api';
import { requestIdHeader } from '@daybook/server';
import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const unavailable: ErrorBody = {
  statusCode: 503,
  message: 'The service is not available at the moment. Please try again in a few seconds.',
  error: 'BACKEND_UNAVAILABLE',
};

/** Forwards `/api` to a backend, for sites without an edge. */
export async function registerApi(app: FastifyInstance, backendUrl: string): Promise<void> {
  await app.register(httpProxy, {
    upstream: backendUrl,
    prefix: '/api',
    rewritePrefix: '/api',
    // The log would have the URL, which may contain an email.
    disableRequestLogging: true,
    replyOptions: {
      retryDelay: () => null,
      rewriteHeaders: ({ connection: _, 'keep-alive': __, ...headers }) => headers,
      rewriteRequestHeaders: (request, { origin: _, expect: __, ...headers }) => ({
        ...headers,
        [requestIdHeader]: (request as FastifyRequest).id,
        'x-forwarded-for': (request as FastifyRequest).ip,
        'x-forwarded-proto': (request as FastifyRequest).protocol,
        'x-forwarded-host': (request as FastifyRequest).host,
      }),
      onError: (reply, { error }) => {
        const { request } = reply as FastifyReply;
        request.log.error({ method: request.method, status: 503 }, `The backend did not respond: ${error.message}`);
        (reply as FastifyReply).code(503).header('Retry-After', 1).send(unavailable);
      },
    },
  });
}
