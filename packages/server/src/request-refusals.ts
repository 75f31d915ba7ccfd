import type { ErrorBody } from '@daybook/contract';

/** Longest address that is served, in characters: an e-mail address of 1024, each of its bytes written as `%xx`. */
export const addressLimit = 4_096;

/** What is looked at before a request is read any further. */
interface ReceivedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** The host that the visitor asked, as a trusted proxy tells it; empty where the request names none. */
  readonly host: string;
  readonly headers: { readonly host?: string | undefined; readonly origin?: string | undefined };
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Whether a browser says that a page of another site sends this; other clients say nothing, or leave it empty. */
function isForeign({ host, headers: { origin } }: ReceivedRequest, publicUrl: string | undefined): boolean {
  if (!origin) return false;
  const parsed = URL.parse(origin);
  return parsed === null || parsed.host === '' || (parsed.host !== host.toLowerCase() && parsed.origin !== publicUrl);
}

/**
 * What both servers refuse of any request, whatever it is for: one that does not say which host it means, an address
 * that no page and no call has, and a write from another site's page.
 *
 * @param publicUrl the site's origin as visitors know it; the request's own host is always taken
 * @returns `undefined` for a request that is served
 */
export function refusalOfRequest(request: ReceivedRequest, publicUrl?: string): ErrorBody | undefined {
  if (request.headers.host === undefined) {
    return { statusCode: 400, message: 'The request does not say which host it is for.', error: 'BAD_REQUEST' };
  }
  if (request.url.length > addressLimit) {
    return { statusCode: 414, message: 'The address of the request is too long.', error: 'ADDRESS_TOO_LONG' };
  }
  if (!readingMethods.has(request.method) && isForeign(request, publicUrl)) {
    return { statusCode: 403, message: 'Only pages of this site may send this.', error: 'FOREIGN_ORIGIN' };
  }
  return undefined;
}
