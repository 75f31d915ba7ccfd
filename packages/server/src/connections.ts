import { type Server, type ServerOptions, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorBody } from '@daybook/contract';

/** How long clients may take, in ms, and how much they may send, in bytes. */
export const connectionLimits = {
  /** Until the headers are there. */
  headers: 10_000,
  /** Until the whole request is there. */
  request: 30_000,
  /** Without a byte in either direction, while a request is under way. */
  silence: 60_000,
  headerSize: 16_384,
  connections: 10_000,
} as const;

/** How often slow clients are searched for, in ms; Node's own 30 s would let them stay three times as long. */
const checkInterval = 1_000;

/** The limits as options of Fastify. */
export function connectionOptions({ headers, request, silence, headerSize } = connectionLimits) {
  const http: ServerOptions = {
    headersTimeout: headers,
    requestTimeout: request,
    connectionsCheckingInterval: checkInterval,
    maxHeaderSize: headerSize,
    // Node's own refusal would come without security headers; `refusalOfRequest` has one.
    requireHostHeader: false,
  };
  return { http, requestTimeout: request, connectionTimeout: silence };
}

/** The limits that Fastify has no option for. */
export function limitConnections(server: Server): void {
  server.maxConnections = connectionLimits.connections;
}

/** Security headers of every response that is data and no page: those of the API, and to what the HTTP parser rejects. */
export const dataHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

const refusals: Readonly<Record<string, ErrorBody>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { statusCode: 408, message: 'The request took too long.', error: 'REQUEST_TIMEOUT' },
  HPE_HEADER_OVERFLOW: { statusCode: 431, message: 'The headers are too large.', error: 'HEADERS_TOO_LARGE' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { statusCode: 413, message: 'The body is too large.', error: 'BODY_TOO_LARGE' },
};
const malformed: ErrorBody = { statusCode: 400, message: 'The request is not HTTP.', error: 'BAD_REQUEST' };
const unmetExpectation: ErrorBody = {
  statusCode: 417,
  message: 'What the request expects is not met here.',
  error: 'EXPECTATION_FAILED',
};

const headersOf = (body: string) => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(body),
  'Cache-Control': 'no-store',
  Connection: 'close',
  ...dataHeaders,
});

/** Whether an answer to an earlier request on this connection has begun; nothing may be written into it. */
const isAnswering = (socket: Socket) =>
  '_httpMessage' in socket && (socket._httpMessage as { headersSent?: boolean } | null)?.headersSent === true;

/**
 * Answers what the HTTP parser refuses, or a client that was too slow, in the shape and with the headers of any
 * other refusal; Fastify's `clientErrorHandler`.
 */
export function answerParserRefusal(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable && !isAnswering(socket)) {
    const refusal = refusals[error.code ?? ''] ?? malformed;
    const body = JSON.stringify(refusal);
    const lines = Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}\r\n`);
    const { statusCode } = refusal;
    socket.write(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${lines.join('')}\r\n${body}`);
  }
  socket.destroy(error);
}

/** Answers `Expect: <anything but 100-continue>`, which Node would do without the headers. */
export function refuseExpectations(server: Server): void {
  server.on('checkExpectation', (_request, response) => {
    const body = JSON.stringify(unmetExpectation);
    response.writeHead(unmetExpectation.statusCode, headersOf(body)).end(body);
  });
}
