import { once } from 'node:events';
import { type ServerOptions as HttpOptions, type IncomingHttpHeaders, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorBody } from '@daybook/contract/api';
import type { FastifyInstance } from 'fastify';
import { cookiePage } from './cookie-page.ts';
import { type LogOptions, logOptions, requestIdOf } from './logging.ts';
import { hasBody } from './request-checks.ts';
import { canonicalUrl } from './request-url.ts';

/** Timeouts of clients in ms, and maximum sizes in bytes. */
export const connectionLimits = {
  headers: 10_000,
  /** The whole request, with its body: the edge has no such timeout. As long as a page waits for a response. */
  request: 20_000,
  /** Idle timeout in both directions while a request is in progress. */
  silence: 60_000,
  /** Other sites of the same domain may have set many cookies. */
  headerSize: 32_768,
  connections: 10_000,
  /** How long the rest of a request is read after the response that ended it. */
  rest: 2_000,
} as const;

/** Interval of checks for slow clients, in ms; with Node's own 30 s they would stay up to three times as long. */
const checkInterval = 1_000;

interface ServerOptions extends LogOptions {
  /** Number of trusted proxies that report the client and a request id. */
  readonly trustedProxies: number;
}

/**
 * Returns the Fastify options that both servers share: log, request ids, proxies, canonical URLs, and connection
 * limits.
 */
export function serverOptions({ service, level, trustedProxies }: ServerOptions) {
  const { headers, request, silence, headerSize } = connectionLimits;
  const http: HttpOptions = {
    headersTimeout: headers,
    requestTimeout: request,
    connectionsCheckingInterval: checkInterval,
    maxHeaderSize: headerSize,
    // Node's own error response has no security headers; that of `errorResponseOf` has.
    requireHostHeader: false,
  };
  return {
    logger: logOptions({ service, level }),
    genReqId: ({ headers }: { readonly headers: IncomingHttpHeaders }) => requestIdOf(headers, trustedProxies > 0),
    // A function, because Fastify trusts no proxy with a plain number of hops.
    trustProxy: (_ip: string, hop: number) => hop < trustedProxies,
    // While the server closes, requests on open connections are still served.
    return503OnClosing: false,
    rewriteUrl: canonicalUrl,
    http,
    requestTimeout: request,
    connectionTimeout: silence,
    clientErrorHandler: (error: ClientError, socket: Socket) =>
      respondToClientError(error, socket, service === 'shell'),
  };
}

/**
 * Sets limits that Fastify has no option for: the number of connections, and the response to an unmet `Expect` header.
 */
export function limitConnections(server: Server): void {
  server.maxConnections = connectionLimits.connections;
  server.on('checkExpectation', (_request, response) => {
    const body = JSON.stringify(unmetExpectation);
    response.writeHead(unmetExpectation.statusCode, headersOf(body)).end(body);
  });
}

/** Connections whose request has its response, while its body still arrives. */
const responded = new WeakSet<Socket>();

/**
 * Reads and drops the rest of a body after a response that came before its end, such as 413 or 429, and closes the connection
 * then. Closed at once, it would be reset by what still arrives: a proxy may lose the response, and take the server for one
 * that failed. `connectionLimits.request` ends it at the latest.
 */
export function readRestOfBodies(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw, headers }, reply, _payload, done) => {
    const { statusCode } = reply;
    if (raw.complete || !hasBody(headers)) return done();
    const { socket } = raw;
    if (socket) {
      responded.add(socket);
      raw.once('end', () => responded.delete(socket));
    }
    // Of the responses that close the connection, only those over the limit of bodies in progress close it at once.
    if (reply.hasHeader('Connection') && statusCode !== 400 && statusCode !== 413) return done();
    if (statusCode === 413) reply.removeHeader('Connection');
    if (headers.connection?.toLowerCase() === 'close') {
      // Node would do so itself.
      reply.header('Connection', 'keep-alive');
      void Promise.all([once(raw, 'end'), once(reply.raw, 'finish')]).then(
        () => raw.socket.destroySoon(),
        () => undefined,
      );
    }
    done();
  });
}

/** Security headers of every response that is data instead of a page: the API's, and those to malformed requests. */
export const dataHeaders = {
  'X-Content-Type-Options': 'nosniff',
  // Some URLs carry an email, which must not leak to other sites.
  'Referrer-Policy': 'same-origin',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // For browsers without frame-ancestors.
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

const errorBodies: Readonly<Record<string, ErrorBody>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { statusCode: 408, message: 'The request timed out.', error: 'REQUEST_TIMEOUT' },
  HPE_HEADER_OVERFLOW: { statusCode: 431, message: 'The headers are too large.', error: 'HEADERS_TOO_LARGE' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { statusCode: 413, message: 'The body is too large.', error: 'BODY_TOO_LARGE' },
};
const malformed: ErrorBody = { statusCode: 400, message: 'The request is malformed.', error: 'BAD_REQUEST' };
const unmetExpectation: ErrorBody = {
  statusCode: 417,
  message: 'The Expect header of the request is not supported.',
  error: 'EXPECTATION_FAILED',
};

const headersOf = (body: string) => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(body),
  'Cache-Control': 'no-store',
  Connection: 'close',
  ...dataHeaders,
});

/** An error of Node's HTTP parser, with the bytes that it failed at: of a browser, mostly the whole request. */
type ClientError = Error & { readonly code?: string; readonly rawPacket?: unknown };

/**
 * Returns whether nothing may be written: a response on this connection has started, or the request that cannot be parsed has
 * its response already, and a proxy would take a second one for that of another request.
 */
const isResponding = (socket: Socket) =>
  responded.has(socket) ||
  ('_httpMessage' in socket && (socket._httpMessage as { headersSent?: boolean } | null)?.headersSent === true);

/**
 * Responds to requests that the HTTP parser rejects, and to slow clients, with the same body and headers as any other
 * error response; Fastify's `clientErrorHandler`.
 *
 * @param hasPages whether browsers navigate to this server
 */
function respondToClientError(error: ClientError, socket: Socket, hasPages: boolean): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable && !isResponding(socket)) {
    const errorBody = errorBodies[error.code ?? ''] ?? malformed;
    const { statusCode } = errorBody;
    const received = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1', 0, 100) : '';
    const isPage = hasPages && statusCode === 431 && !/^[A-Z]+ \/api[/? ]/.test(received);
    const { body, headers } = isPage ? cookiePage(received) : { body: JSON.stringify(errorBody), headers: {} };
    const lines = Object.entries({ ...headersOf(body), ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${lines.join('')}\r\n${body}`);
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      readRest(socket);
      return;
    }
  }
  socket.destroy(error);
}

/**
 * Reads and drops for a while what a slow client still sends after its response, unless it closes the connection. Closed at
 * once, it would be reset by that: the edge may lose the response, and take the server for one that failed.
 */
function readRest(socket: Socket): void {
  responded.add(socket);
  const timer = setTimeout(() => socket.destroy(), connectionLimits.rest);
  socket.once('close', () => clearTimeout(timer));
}
