import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type LogOptions, logOptions, requestIdOf } from './logging.ts';
import { canonicalUrl } from './request-url.ts';

/** Timeout in ms of a whole request with its body: as long as a page waits for a response. Node checks it every 5 s. */
const requestTimeout = 20_000;

/** In bytes: other sites of the same domain may have set many cookies. */
const maxHeaderSize = 32_768;

interface ServerOptions extends LogOptions {
  /** Number of trusted proxies that report the client and a request id. */
  readonly trustedProxies: number;
}

/** Returns the Fastify options that both servers share: log, request ids, proxies, canonical URLs, and limits. */
export function serverOptions({ service, level, trustedProxies }: ServerOptions) {
  return {
    logger: logOptions({ service, level }),
    genReqId: ({ headers }: { readonly headers: IncomingHttpHeaders }) => requestIdOf(headers, trustedProxies > 0),
    // A function, because Fastify trusts no proxy with a plain number of hops.
    trustProxy: (_ip: string, hop: number) => hop < trustedProxies,
    // While the server closes, requests on open connections are still served.
    return503OnClosing: false,
    rewriteUrl: canonicalUrl,
    // Node's own response to a request without a host has no security headers.
    http: {
      maxHeaderSize,
      requireHostHeader: false,
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: 5_000,
    },
    requestTimeout,
    clientErrorHandler: rejectMalformed,
  };
}

const statusByCode: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Rejects what the HTTP parser can't read. A second response would be taken for that of the next request. */
function rejectMalformed({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || socket.bytesWritten > 0) return void socket.destroy();
  const status = statusByCode[code] ?? 400;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Security headers of every response that is data instead of a page. */
export const dataHeaders = {
  'X-Content-Type-Options': 'nosniff',
  // Some URLs carry an email, which must not leak to other sites.
  'Referrer-Policy': 'same-origin',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // For browsers without frame-ancestors.
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;
