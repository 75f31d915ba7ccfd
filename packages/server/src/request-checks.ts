import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorBody } from '@daybook/contract/api';
import { isFromOtherOrigin, isValidHost } from './request-origin.ts';

/** Maximum length of a request's URL, in characters: what is typed as an email takes up to 2,880 as `%xx`. */
export const maxUrlLength = 4_096;

/** The parts of a request that are checked before it is read further. */
interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  /** The host that the visitor requested, as reported by a trusted proxy. */
  readonly host: string;
  readonly headers: IncomingHttpHeaders;
  /** `headers` contains only the first of two `Host` lines. */
  readonly raw: { readonly httpVersion: string; readonly rawHeaders: readonly string[] };
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Methods whose requests have no body here. A server or proxy that skips a body would read it as the next request. */
const bodylessMethods = new Set([...readingMethods, 'DELETE']);

const hasBody = (headers: IncomingHttpHeaders) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;

const hasTwoHosts = ({ rawHeaders }: ReceivedRequest['raw']) =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length > 1;

/** Requests of load balancers, some of which speak HTTP/1.0 and send no host. */
const isProbe = ({ url, raw }: ReceivedRequest) =>
  raw.httpVersion === '1.0' && /^\/(?:healthz|readyz)(?:\?|$)/.test(url);

const badRequest = (message: string): ErrorBody => ({ statusCode: 400, message, error: 'BAD_REQUEST' });

/**
 * Returns the error response for requests that both servers reject; `undefined` for valid ones. The connection of a 400
 * must be closed: the following bytes cannot be trusted to be a request.
 *
 * @param publicUrl the site's origin as visitors know it; the request's own host is always allowed
 */
export function errorResponseOf(request: ReceivedRequest, publicUrl?: string): ErrorBody | undefined {
  const { method, url, headers, raw } = request;
  const { host } = headers;
  if (host === undefined && !isProbe(request)) return badRequest('The request has no Host header.');
  if (host !== undefined && !isValidHost(host)) return badRequest('The Host header of the request is malformed.');
  if (hasTwoHosts(raw)) return badRequest('The request has more than one Host header.');
  if (bodylessMethods.has(method) && hasBody(headers)) return badRequest(`A ${method} request must not have a body.`);
  if (url.length > maxUrlLength)
    return { statusCode: 414, message: 'The address of the request is too long.', error: 'ADDRESS_TOO_LONG' };
  if (!readingMethods.has(method) && isFromOtherOrigin(request, publicUrl))
    return { statusCode: 403, message: 'Only pages of this site may send this.', error: 'FOREIGN_ORIGIN' };
  return undefined;
}
