import { lookup } from 'node:dns';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { apiBodyLimit, type ErrorBody } from '@daybook/contract/api';
import { BodiesInProgress, logErrorResponse, requestIdHeader } from '@daybook/server';
import httpProxy from '@fastify/http-proxy';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Default timeout of the backend's response, in ms. */
const defaultTimeout = 15_000;

/**
 * Maximum number of calls in progress: bounds the memory that slow or large bodies take, about 64 kB each here and 40 kB
 * at the backend. In the stacks the edge limits them.
 */
const maxCallsInProgress = 1_000;

const unavailable: ErrorBody = {
  statusCode: 503,
  message: 'The service is not available at the moment. Please try again in a few seconds.',
  error: 'BACKEND_UNAVAILABLE',
};

const tooManyCalls: ErrorBody = {
  statusCode: 429,
  message: 'Too many requests at the moment. Please try again in a few seconds.',
  error: 'TOO_MANY_REQUESTS',
};

const bodyTooLarge: ErrorBody = {
  statusCode: 413,
  message: `The body is too large. At most ${apiBodyLimit} bytes are accepted.`,
  error: 'BODY_TOO_LARGE',
};

const bodyTimeout: ErrorBody = {
  statusCode: 408,
  message: 'The body of the request did not arrive in time.',
  error: 'REQUEST_TIMEOUT',
};

const badRequest: ErrorBody = {
  statusCode: 400,
  message: 'The request is malformed. /api/docs describes the calls.',
  error: 'BAD_REQUEST',
};

/** An error of the client's body, with the response to it; not logged as an error. */
class BodyError extends Error {
  override readonly name = 'BodyError';
  readonly body: ErrorBody;

  constructor(body: ErrorBody, options?: ErrorOptions) {
    super(body.message, options);
    this.body = body;
  }
}

/** Bytes of a too long body that are still read, for clients that read no response before they have sent all of it. */
const maxRead = 2_000_000;

/** Passes on a body while it arrives; fails if it is longer than `apiBodyLimit` or cut off. */
async function* limitedBody(payload: IncomingMessage) {
  let size = 0;
  try {
    for await (const chunk of payload as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= apiBodyLimit) yield chunk;
      else if (size > maxRead) break;
    }
  } catch (error) {
    throw new BodyError(badRequest, { cause: error });
  }
  if (size > apiBodyLimit) throw new BodyError(bodyTooLarge);
}

/**
 * Returns the body of a call as a stream.
 *
 * @throws BodyError before anything is forwarded, if the announced length exceeds `apiBodyLimit`
 */
async function streamBody({ headers }: Pick<FastifyRequest, 'headers'>, payload: IncomingMessage) {
  const body = Readable.from(limitedBody(payload), { objectMode: false });
  if (Number(headers['content-length'] ?? 0) > apiBodyLimit) for await (const _ of body);
  return body;
}

/**
 * Forwards `/api` to a backend, for sites without an edge: one address, no retries. Replaces the client address that the
 * request states with the one that this server sees, so that clients can't spoof it.
 *
 * @param backendUrl address of the backend
 * @param timeout of its response, in ms
 */
export async function registerApi(app: FastifyInstance, backendUrl: string, timeout = defaultTimeout): Promise<void> {
  let inProgress = 0;
  const bodies = new BodiesInProgress();

  await app.register(async (api) => {
    api.addHook('onRequest', ({ ip, raw }, reply, done) => {
      inProgress += 1;
      reply.raw.once('close', () => (inProgress -= 1));
      if (inProgress <= maxCallsInProgress && bodies.admit(ip, raw)) done();
      else send(reply.header('Retry-After', 1).header('Connection', 'close'), tooManyCalls);
    });
    api.removeAllContentTypeParsers();
    api.addContentTypeParser('*', streamBody);
    api.setErrorHandler((error: FastifyError | BodyError, _request, reply) => {
      if (error instanceof BodyError) return send(reply, error.body);
      if ((error.statusCode ?? 500) >= 500) throw error;
      return send(reply, badRequest);
    });
    await api.register(httpProxy, {
      upstream: backendUrl,
      prefix: '/api',
      rewritePrefix: '/api',
      proxyPayloads: false,
      http: {
        agentOptions: { lookup: lookUpHost },
        requestOptions: { timeout, rejectUnauthorized: true },
      },
      disableCache: true,
      disableRequestLogging: true,
      // A client that has disconnected has no address any more, and nobody waits for a response.
      preHandler: (request, reply, done) => (request.raw.socket.destroyed ? reply.hijack() : done()),
      replyOptions: {
        // An error response of the backend is the response.
        retryDelay: () => null,
        rewriteRequestHeaders: (request, headers) => ({
          ...forwardedHeaders(headers, (request as FastifyRequest).body !== undefined),
          ...traceHeaders(request as FastifyRequest),
          [requestIdHeader]: (request as FastifyRequest).id,
          'x-forwarded-for': (request as FastifyRequest).ip,
          'x-forwarded-proto': (request as FastifyRequest).protocol,
          'x-forwarded-host': (request as FastifyRequest).host,
        }),
        rewriteHeaders: ({ connection: _connection, ...headers }) => headers,
        onError: (reply, { error }) => sendFailure(reply as FastifyReply, error),
      },
    });
  });
}

/** The plugin passes an IPv6 address in brackets, which Node takes for a name. */
const lookUpHost: LookupFunction = (name, options, callback) => lookup(name.replace(/[[\]]/g, ''), options, callback);

const send = (reply: FastifyReply, body: ErrorBody): FastifyReply =>
  reply.code(body.statusCode).type('application/json; charset=utf-8').send(body);

/** Responds to a call that the backend did not respond to. */
function sendFailure(reply: FastifyReply, { cause, message, code }: Error & { readonly code?: string }): void {
  if (cause instanceof BodyError) {
    send(reply, cause.body);
    return;
  }
  const { method, raw } = reply.request;
  // The backend was still waiting for the body: as a server error, one slow client would raise an alert.
  if (code === 'FST_REPLY_FROM_GATEWAY_TIMEOUT' && !raw.complete) {
    send(reply.header('Connection', 'close'), bodyTimeout);
    return;
  }
  const fields = { method, status: unavailable.statusCode };
  logErrorResponse(reply.request, 'error', fields, `The backend did not respond: ${message}`);
  send(reply.header('Retry-After', 1), unavailable);
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
  // Checked here already; the backend may not know the public address.
  delete forwarded.origin;
  return forwarded;
}

/** Returns `traceparent` if requests are traced. */
function traceHeaders(request: Partial<Pick<FastifyRequest, 'opentelemetry'>>): Record<string, string> {
  const headers = {};
  request.opentelemetry?.().inject(headers);
  return headers;
}
