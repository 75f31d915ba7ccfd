import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Requests that a connection may have under way at once. Browsers and proxies send one after the other; more of them are
 * responses that a client does not read, each of which holds a connection to a backend.
 */
export const maxPipelinedRequests = 4;

const underWay = new WeakMap<Socket, number>();

/** Counts a request until its response is closed; returns whether its connection has too many under way with it. */
export function hasTooManyUnderWay(response: ServerResponse): boolean {
  const { socket } = response.req;
  const count = (underWay.get(socket) ?? 0) + 1;
  underWay.set(socket, count);
  response.once('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1));
  return count > maxPipelinedRequests;
}
