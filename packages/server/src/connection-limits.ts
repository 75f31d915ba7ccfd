import type { Server, ServerOptions } from 'node:http';

/** How long clients may take, in ms, and how much they may send, in bytes. */
interface ConnectionLimits {
  /** Until the headers are there. */
  readonly headers: number;
  /** Until the whole request is there. */
  readonly request: number;
  /** Without a byte in either direction, while a request is under way. */
  readonly silence: number;
  readonly headerSize: number;
  readonly connections: number;
}

export const connectionLimits: ConnectionLimits = {
  headers: 10_000,
  request: 30_000,
  silence: 60_000,
  headerSize: 16_384,
  connections: 10_000,
};

/** How often slow clients are looked for, in ms; Node's own 30 s would let them stay three times as long. */
const lookInterval = 1_000;

/** The limits as options of Fastify. */
export function connectionOptions({ headers, request, silence, headerSize }: ConnectionLimits = connectionLimits) {
  const http: ServerOptions = {
    headersTimeout: headers,
    requestTimeout: request,
    connectionsCheckingInterval: lookInterval,
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
