import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { apiBodyLimit, type ErrorBody } from '@daybook/contract/api';
import { requestIdHeader } from '@daybook/server';
import httpProxy, { type FastifyHttpProxyOptions } from '@fastify/http-proxy';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Backend, type Backends, wasNeverSent } from './backends.ts';

/** Bytes of a too long body that are still read before the connection is closed. */
const maxRead = 20 * apiBodyLimit;

/** A client error, so it is not logged as an error. */
const bodyError = (statusCode: 400 | 413, message: string, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { statusCode });

/**
 * Buffers the whole body of an API request before it is forwarded or rejected. Streaming would lose a response that
 * is sent while the client still writes, so a backend that rejects a long body would seem to be down.
 *
 * @throws Error with status 413 for a body longer than `apiBodyLimit`, and 400 for one that is cut off
 */
export async function readBody(_request: FastifyRequest, payload: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of payload as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= apiBodyLimit) chunks.push(chunk);
      if (size > maxRead) break;
    }
  } catch (error) {
    throw bodyError(400, 'The body was cut off.', error);
  }
  if (size > apiBodyLimit) throw bodyError(413, `The body is longer than ${apiBodyLimit} bytes.`);
  return Buffer.concat(chunks);
}

type ForwardOptions = Parameters<NonNullable<FastifyHttpProxyOptions['handler']>>[3];

/** Timeout of the backend's response, in ms. */
const responseTimeout = 15_000;

const unavailable: ErrorBody = {
  statusCode: 503,
  message: 'The service is not available at the moment. Please try again in a few seconds.',
  error: 'BACKEND_UNAVAILABLE',
};

/** Seconds until a retry: a backend that was killed is set aside within one, and a restart takes a few. */
const retryAfter = 1;

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
 * Registers the API proxy. Replaces the client address that the request states with the one that this server sees, so
 * that clients can't spoof it.
 */
export async function registerApi(app: FastifyInstance, backends: Backends): Promise<void> {
  await app.register(async (api) => {
    api.removeAllContentTypeParsers();
    api.addContentTypeParser('*', readBody);
    api.setErrorHandler((error: FastifyError, _request, reply) => {
      if ((error.statusCode ?? 500) >= 500) throw error;
      const body = error.statusCode === 413 ? bodyTooLarge : badRequest;
      return reply.code(body.statusCode).send(body);
    });
    await api.register(httpProxy, {
      // `forward` chooses the backend of each request.
      upstream: '',
      prefix: '/api',
      rewritePrefix: '/api',
      proxyPayloads: false,
      http: { agents: backends.agents, requestOptions: { timeout: responseTimeout, rejectUnauthorized: true } },
      disableCache: true,
      disableRequestLogging: true,
      handler: (request, reply, path, options) => forward(request, reply, path, { ...options, ...bodyOf(request) }),
      replyOptions: {
        getUpstream: () => '',
        // No retry: an error response of the backend is the response.
        retryDelay: () => null,
      },
    });
  });

  /**
   * Sends a request to the backend whose turn it is. Retries with the next one only if the request never reached the
   * first, so that a signup is not stored twice.
   */
  function forward(request: FastifyRequest, reply: FastifyReply, path: string, options: ForwardOptions) {
    // The client has disconnected: its address is no longer known, and nobody waits for a response.
    if (request.raw.socket.destroyed) return reply.hijack();
    const [first, ...others] = backends.inTurn();
    if (first === undefined) throw new Error('BACKEND_URL has no backend.');
    const sendTo = (backend: Backend): FastifyReply => {
      let endsConnection = false;
      return reply.from(path, {
        ...options,
        getUpstream: () => backend.origin,
        rewriteRequestHeaders: (_request, headers) => ({
          ...forwardedHeaders(headers, request.body instanceof Buffer),
          host: backend.host,
          [requestIdHeader]: request.id,
          ...traceHeaders(request),
          'x-forwarded-for': request.ip,
          'x-forwarded-proto': request.protocol,
          'x-forwarded-host': request.host,
        }),
        rewriteHeaders: ({ connection, ...headers }) => {
          endsConnection = connection === 'close';
          return headers;
        },
        onResponse: (_request, _reply, { statusCode, stream }) => {
          // The backend is shutting down. An error response, such as for broken JSON, may also close the connection.
          if (endsConnection && statusCode < 400) backends.setAside(backend);
          void reply.send(stream);
        },
        onError: (_reply, { error }) => {
          const cause = error.cause ?? error;
          const next = wasNeverSent(cause) ? others.shift() : undefined;
          if (wasNeverSent(cause)) backends.setAside(backend);
          if (next !== undefined) return sendTo(next);
          request.log.error(
            { method: request.method, status: unavailable.statusCode },
            `The backend did not respond: ${error.message}`,
          );
          return reply
            .code(unavailable.statusCode)
            .header('Retry-After', retryAfter)
            .type('application/json; charset=utf-8')
            .send(unavailable);
        },
      });
    };
    return sendTo(first);
  }
}

/** Hop-by-hop headers, which mean nothing or do harm on the connection to a backend. */
const connectionHeaders = ['transfer-encoding', 'trailer', 'te', 'upgrade', 'keep-alive', 'proxy-connection', 'expect'];

/**
 * Returns the headers to forward to a backend. A Content-Length without a body would let the backend read the next
 * visitor's request on the same connection as that body.
 */
function forwardedHeaders(headers: IncomingHttpHeaders, hasBody: boolean): IncomingHttpHeaders {
  const forwarded = { ...headers };
  for (const name of connectionHeaders) delete forwarded[name];
  if (!hasBody) delete forwarded['content-length'];
  // Checked here already; the backend knows neither the public address nor which hosts to trust.
  delete forwarded.origin;
  return forwarded;
}

/** Returns `traceparent` if requests are traced. */
function traceHeaders(request: Partial<Pick<FastifyRequest, 'opentelemetry'>>): Record<string, string> {
  const headers = {};
  request.opentelemetry?.().inject(headers);
  return headers;
}

function bodyOf({ body, headers }: FastifyRequest): ForwardOptions {
  return body instanceof Buffer ? { body, contentType: headers['content-type'] ?? 'application/octet-stream' } : {};
}
