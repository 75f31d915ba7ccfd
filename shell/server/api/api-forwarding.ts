import { apiBodyLimit, type ErrorBody } from '@daybook/contract';
import httpProxy from '@fastify/http-proxy';
import type { FastifyError, FastifyInstance } from 'fastify';
import { BodyTooLargeError, readBody } from './request-body.ts';

/** The backend has this long, in ms, to answer. */
const answerTimeout = 15_000;

const unavailable: ErrorBody = {
  statusCode: 503,
  message: 'The service is not available at the moment. Please try again in a minute.',
  error: 'BACKEND_UNAVAILABLE',
};

const bodyTooLarge: ErrorBody = {
  statusCode: 413,
  message: `The body is too large. At most ${apiBodyLimit} bytes are accepted.`,
  error: 'BODY_TOO_LARGE',
};

const badRequest: ErrorBody = {
  statusCode: 400,
  message: 'The request is malformed. /api/docs describes the calls.',
  error: 'BAD_REQUEST',
};

/**
 * Forwards the API to the backend. What the client says of its own address is replaced by what this server
 * knows of it, so that nobody can borrow another's.
 */
export async function registerApi(app: FastifyInstance, backendUrl: string): Promise<void> {
  await app.register(async (api) => {
    api.removeAllContentTypeParsers();
    api.addContentTypeParser('*', readBody);
    api.setErrorHandler((error: FastifyError, _request, reply) => {
      if ((error.statusCode ?? 500) >= 500) throw error;
      const refusal = error instanceof BodyTooLargeError ? bodyTooLarge : badRequest;
      return reply.code(refusal.statusCode).send(refusal);
    });
    await api.register(httpProxy, {
      upstream: backendUrl,
      prefix: '/api',
      rewritePrefix: '/api',
      proxyPayloads: false,
      http: { requestOptions: { timeout: answerTimeout, rejectUnauthorized: true } },
      disableCache: true,
      handler: (request, reply, address, options) =>
        reply.from(address, {
          ...options,
          ...(request.body instanceof Buffer
            ? { body: request.body, contentType: request.headers['content-type'] ?? 'application/octet-stream' }
            : {}),
        }),
      replyOptions: {
        // A refusal of the backend is its answer, not a reason to ask again.
        retryDelay: () => null,
        // The origin was looked at here; the backend knows neither our public address nor whether to trust a host.
        rewriteRequestHeaders: (request, { 'transfer-encoding': _, origin: __, ...headers }) => ({
          ...headers,
          'x-forwarded-for': request.ip,
          'x-forwarded-proto': request.protocol,
          'x-forwarded-host': request.host,
        }),
        onError: (reply, { error }) => {
          reply.log.error(`The backend did not answer: ${error.message}`);
          reply.code(unavailable.statusCode).header('Retry-After', '60').send(unavailable);
        },
      },
    });
  });
}
