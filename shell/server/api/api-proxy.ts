import { lookup } from 'node:dns';
import type { IncomingHttpHeaders } from 'node:http';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { apiBodyLimit, type ErrorBody } from '@daybook/contract/api';
import { BodiesInProgress, logErrorResponse, requestIdHeader } from '@daybook/server';
import httpProxy from '@fastify/http-proxy';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * `calls` is the maximum number of calls in progress, which bounds the memory that slow or large bodies take: about 64 kB each
 * here, and 40 kB at the backend. In the stacks the edge limits them. `timeout`, in ms, is for the backend's response.
 */
export const proxyLimits = { calls: 1_000, timeout: 15_000 } as const;

const errorBodies = {
  unavailable: {
    statusCode: 503,
    message: 'The service is not available at the moment. Please try again in a few seconds.',
    error: 'BACKEND_UNAVAILABLE',
  },
  tooManyCalls: {
    statusCode: 429,
    message: 'Too many requests at the moment. Please try again in a few seconds.',
    error: 'TOO_MANY_REQUESTS',
  },
  bodyTooLarge: {
    statusCode: 413,
    message: `The body is too large. At most ${apiBodyLimit} bytes are accepted.`,
    error: 'BODY_TOO_LARGE',
  },
  badRequest: {
    statusCode: 400,
    message: 'The request is malformed. /api/docs describes the calls.',
    error: 'BAD_REQUEST',
  },
} as const satisfies Readonly<Record<string, ErrorBody>>;

/**
 * Forwards `/api` to a backend, for sites without an edge: one address, no retries. Replaces the client address that the
 * request states with the one that this server sees, so that clients can't spoof it.
 */
export async function registerApi(app: FastifyInstance, backendUrl: string): Promise<void> {
  let inProgress = 0;
  const bodies = new BodiesInProgress();

  await app.register(async (api) => {
    api.addHook('onRequest', ({ ip, raw }, reply, done) => {
      inProgress += 1;
      reply.raw.once('close', () => (inProgress -= 1));
      if (inProgress <= proxyLimits.calls && bodies.admit(ip, raw)) done();
      else send(reply.header('Retry-After', 1).header('Connection', 'close'), errorBodies.tooManyCalls);
    });
    api.removeAllContentTypeParsers();
    // Parsed into a stream again, which the plugin forwards byte for byte; it would encode anything else.
    api.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: apiBodyLimit }, (_request, body, done) =>
      done(null, Readable.from([body])),
    );
    api.setErrorHandler((error: FastifyError, _request, reply) => {
      const { statusCode = 500 } = error;
      if (statusCode >= 500) throw error;
      return send(reply, statusCode === 413 ? errorBodies.bodyTooLarge : errorBodies.badRequest);
    });
    await api.register(httpProxy, {
      upstream: backendUrl,
      prefix: '/api',
      rewritePrefix: '/api',
      proxyPayloads: false,
      http: {
        agentOptions: { keepAlive: true, lookup: lookUpHost },
        requestOptions: { timeout: proxyLimits.timeout, rejectUnauthorized: true },
      },
      disableRequestLogging: true,
      // A client that has disconnected has no address any more, and nobody waits for a response.
      preHandler: (request, reply, done) => (request.raw.socket.destroyed ? reply.hijack() : done()),
      replyOptions: {
        // An error response of the backend is the response.
        retryDelay: () => null,
        rewriteRequestHeaders: (request, headers) => forwardedHeaders(request as FastifyRequest, headers),
        rewriteHeaders: ({ connection: _connection, ...headers }) => headers,
        onError: (reply, { error }) => sendUnavailable(reply as FastifyReply, error),
      },
    });
  });
}

/** The plugin passes an IPv6 address in brackets, which Node takes for a name. */
const lookUpHost: LookupFunction = (name, options, callback) => lookup(name.replace(/[[\]]/g, ''), options, callback);

const send = (reply: FastifyReply, body: ErrorBody): FastifyReply =>
  reply.code(body.statusCode).type('application/json; charset=utf-8').send(body);

function sendUnavailable(reply: FastifyReply, { message }: Error): void {
  const { unavailable } = errorBodies;
  const fields = { method: reply.request.method, status: unavailable.statusCode };
  logErrorResponse(reply.request, 'error', fields, `The backend did not respond: ${message}`);
  send(reply.header('Retry-After', 1), unavailable);
}

/** Hop-by-hop headers, which mean nothing or do harm on the connection to a backend. */
const connectionHeaders = ['transfer-encoding', 'trailer', 'te', 'upgrade', 'keep-alive', 'proxy-connection', 'expect'];

/**
 * Returns the headers to forward to a backend. A Content-Length without a body would let the backend read the next
 * visitor's request on the same connection as that body.
 */
function forwardedHeaders(request: FastifyRequest, headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const forwarded = { ...headers };
  for (const name of connectionHeaders) delete forwarded[name];
  if (request.body === undefined) delete forwarded['content-length'];
  // Checked here already; the backend may not know the public address.
  delete forwarded.origin;
  // If requests are traced, `traceparent`.
  (request as Partial<Pick<FastifyRequest, 'opentelemetry'>>).opentelemetry?.().inject(forwarded);
  return {
    ...forwarded,
    [requestIdHeader]: request.id,
    'x-forwarded-for': request.ip,
    'x-forwarded-proto': request.protocol,
    'x-forwarded-host': request.host,
  };
}
