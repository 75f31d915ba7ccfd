import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorBody } from '@daybook/contract';

/** Longest address that is served, in characters: an e-mail address of 1024, each of its bytes written as `%xx`. */
export const addressLimit = 4_096;

/** What is checked before a request is read any further. */
interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  /** The host that the visitor requested, as a trusted proxy reports it; empty where the request names none. */
  readonly host: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they were received: of two `Host` lines `headers` has the first one only. */
  readonly raw: { readonly rawHeaders: readonly string[] };
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Methods whose requests have no body here. A server or proxy that skips one would take it for the next request. */
const bodylessMethods = new Set([...readingMethods, 'DELETE']);

const hasBody = (headers: IncomingHttpHeaders) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;

const hasTwoHosts = ({ rawHeaders }: ReceivedRequest['raw']) =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length > 1;

/** Whether a browser says that a page of another site sends this; other clients say nothing, or leave it empty. */
function isForeign({ host, headers: { origin } }: ReceivedRequest, publicUrl: string | undefined): boolean {
  if (!origin) return false;
  const parsed = URL.parse(origin);
  return parsed === null || parsed.host === '' || (parsed.host !== host.toLowerCase() && parsed.origin !== publicUrl);
}

/**
 * Returns the error response to a request that both servers reject, whatever it is for: one that names no host or two,
 * one whose method takes no body and that has one, an address that no page and no call has, and a write from another
 * site's page (CSRF). The connection of a 400 has to be closed: what follows on it can't be trusted to be a request.
 *
 * @param publicUrl the site's origin as visitors know it; the request's own host is always allowed
 * @returns `undefined` for a request that is served
 */
export function refusalOfRequest(request: ReceivedRequest, publicUrl?: string): ErrorBody | undefined {
  if (request.headers.host === undefined) {
    return { statusCode: 400, message: 'The request does not say which host it is for.', error: 'BAD_REQUEST' };
  }
  if (hasTwoHosts(request.raw)) {
    return { statusCode: 400, message: 'The request names two hosts.', error: 'BAD_REQUEST' };
  }
  if (bodylessMethods.has(request.method) && hasBody(request.headers)) {
    return { statusCode: 400, message: `A ${request.method} request has no body here.`, error: 'BAD_REQUEST' };
  }
  if (request.url.length > addressLimit) {
    return { statusCode: 414, message: 'The address of the request is too long.', error: 'ADDRESS_TOO_LONG' };
  }
  if (!readingMethods.has(request.method) && isForeign(request, publicUrl)) {
    return { statusCode: 403, message: 'Only pages of this site may send this.', error: 'FOREIGN_ORIGIN' };
  }
  return undefined;
}

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
