import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { apiBodyLimit, type ErrorBody } from '@daybook/contract';
import { requestIdHeader } from '@daybook/server';
import httpProxy, { type FastifyHttpProxyOptions } from '@fastify/http-proxy';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Backends, wasNeverSent } from './backends.ts';

/** A body that is too long is still read to its end, up to this many bytes: beyond, the connection is closed. */
const longestRead = 20 * apiBodyLimit;

/** The client's fault, so it is not logged as an error. */
const bodyError = (statusCode: 400 | 413, message: string, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { statusCode });

/**
 * Reads the body of a request to the API. Whole, before it is forwarded or refused: who answers while the other
 * side still writes loses the answer with the connection, so a backend that refuses a long body would look as if
 * it were down.
 *
 * @throws Error with the status 413 for one that is longer than `apiBodyLimit`, and 400 for one that is cut off
 */
export async function readBody(_request: FastifyRequest, payload: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of payload as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= apiBodyLimit) chunks.push(chunk);
      if (size > longestRead) break;
    }
  } catch (error) {
    throw bodyError(400, 'The body was cut off.', error);
  }
  if (size > apiBodyLimit) throw bodyError(413, `The body is longer than ${apiBodyLimit} bytes.`);
  return Buffer.concat(chunks);
}

type ForwardOptions = Parameters<NonNullable<FastifyHttpProxyOptions['handler']>>[3];

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
 * Forwards the API to a backend. What the client says of its own address is replaced by what this server
 * knows of it, so that nobody can borrow another's.
 */
export async function registerApi(app: FastifyInstance, backends: Backends): Promise<void> {
  await app.register(async (api) => {
    api.removeAllContentTypeParsers();
    api.addContentTypeParser('*', readBody);
    api.setErrorHandler((error: FastifyError, _request, reply) => {
      if ((error.statusCode ?? 500) >= 500) throw error;
      const refusal = error.statusCode === 413 ? bodyTooLarge : badRequest;
      return reply.code(refusal.statusCode).send(refusal);
    });
    await api.register(httpProxy, {
      // Each request has a backend of its own choice; `forward` names it.
      upstream: '',
      prefix: '/api',
      rewritePrefix: '/api',
      proxyPayloads: false,
      http: { requestOptions: { timeout: answerTimeout, rejectUnauthorized: true } },
      disableCache: true,
      disableRequestLogging: true,
      handler: (request, reply, path, options) => forward(request, reply, path, { ...options, ...bodyOf(request) }),
      replyOptions: {
        getUpstream: () => '',
        // A refusal of the backend is its answer, not a reason to ask again.
        retryDelay: () => null,
        rewriteRequestHeaders: (request, headers) => ({
          ...forwardedHeaders(headers, request.body instanceof Buffer),
          [requestIdHeader]: request.id,
          ...traceHeaders(request),
          'x-forwarded-for': request.ip,
          'x-forwarded-proto': request.protocol,
          'x-forwarded-host': request.host,
        }),
      },
    });
  });

  /**
   * Sends a request to the backend whose turn it is, and on to the next only where it never reached that one: a
   * signup is not stored twice.
   */
  function forward(request: FastifyRequest, reply: FastifyReply, path: string, options: ForwardOptions) {
    // Its client has hung up; the address is no longer known, and nobody waits for a response.
    if (request.raw.socket.destroyed) return reply.hijack();
    const inTurn = backends.inTurn();
    const sendTo = (address: string): FastifyReply => {
      let endsConnection = false;
      return reply.from(path, {
        ...options,
        getUpstream: () => address,
        rewriteHeaders: ({ connection, ...headers }) => {
          endsConnection = connection === 'close';
          return headers;
        },
        onResponse: (_request, _reply, { statusCode, stream }) => {
          // It is about to stop; a refusal, such as that of broken JSON, may end the connection for the client's sake.
          if (endsConnection && statusCode < 400) backends.setAside(address);
          void reply.send(stream);
        },
        onError: (_reply, { error }) => {
          const cause = error.cause ?? error;
          const next = wasNeverSent(cause) ? inTurn.shift() : undefined;
          if (wasNeverSent(cause)) backends.setAside(address);
          if (next !== undefined) return sendTo(next);
          request.log.error(
            { method: request.method, status: unavailable.statusCode },
            `The backend did not answer: ${error.message}`,
          );
          return reply
            .code(unavailable.statusCode)
            .header('Retry-After', '60')
            .type('application/json; charset=utf-8')
            .send(unavailable);
        },
      });
    };
    return sendTo(inTurn.shift() ?? '');
  }
}

/** Headers of the connection between client and this server, which mean nothing or harm on the one to a backend. */
const connectionHeaders = ['transfer-encoding', 'trailer', 'te', 'upgrade', 'keep-alive', 'proxy-connection', 'expect'];

/**
 * Returns the headers that go on to a backend. A length without its body would let the backend take the next visitor's
 * request on the same connection as that body.
 */
function forwardedHeaders(headers: IncomingHttpHeaders, hasBody: boolean): IncomingHttpHeaders {
  const forwarded = { ...headers };
  for (const name of connectionHeaders) delete forwarded[name];
  if (!hasBody) delete forwarded['content-length'];
  // The origin was checked here; the backend knows neither our public address nor whether to trust a host.
  delete forwarded.origin;
  return forwarded;
}

/** Returns `traceparent` where requests are traced. */
function traceHeaders(request: Partial<Pick<FastifyRequest, 'opentelemetry'>>): Record<string, string> {
  const headers = {};
  request.opentelemetry?.().inject(headers);
  return headers;
}

function bodyOf({ body, headers }: FastifyRequest): ForwardOptions {
  return body instanceof Buffer ? { body, contentType: headers['content-type'] ?? 'application/octet-stream' } : {};
}
