import type { IncomingHttpHeaders } from 'node:http';

/** Characters that would end the host in a URL, or that a URL parser drops; no host contains one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a URL parser drops control characters
const notInHost = /[\x00-\x20\x7f/?#@\\]/;

/** Returns whether a text can be the value of a Host header; an empty one is valid (RFC 9110, 7.2). */
export const isValidHost = (text: string): boolean => !notInHost.test(text);

/** Returns a host as URLs of this scheme spell it: in lower case, in ASCII, without the scheme's default port. */
const hostOf = (text: string, protocol: string) =>
  isValidHost(text) ? URL.parse(`${protocol}//${text}`)?.host : undefined;

interface StatedOrigin {
  /** The host that the visitor requested; empty if the request names none. */
  readonly host: string;
  readonly headers: Pick<IncomingHttpHeaders, 'origin' | 'sec-fetch-site'>;
}

/**
 * Returns whether a browser sends a request for a page of another origin. `Sec-Fetch-Site` decides where a browser sends
 * it: pages cannot forge it, and privacy settings may make the origin `null`. Otherwise the origin has to be that of the
 * request's host or of the site; plain HTTP is another origin than a site that is known to use HTTPS.
 *
 * @param publicUrl the site's origin as visitors know it
 */
export function isFromOtherOrigin({ host, headers }: StatedOrigin, publicUrl: string | undefined): boolean {
  const { origin, 'sec-fetch-site': fetchSite } = headers;
  if (!origin) return false;
  const stated = URL.parse(origin);
  const isWeb = stated !== null && ['http:', 'https:'].includes(stated.protocol);
  if (isWeb && stated.origin === publicUrl) return false;
  if (fetchSite !== undefined) return fetchSite !== 'same-origin' && fetchSite !== 'none';
  if (!isWeb || stated.host === URL.parse(publicUrl ?? '')?.host) return true;
  return stated.host !== hostOf(host, stated.protocol);
}
