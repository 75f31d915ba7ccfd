/** An address on the web, safe to open and to show. */
export interface WebAddress {
  readonly href: string;
  /** Host as the browser reads it, international names in punycode, with the port if there is one. */
  readonly host: string;
}

/** Far longer than any sponsor's, in characters. */
const longestAddress = 2048;

/** Absolute, http or https, without credentials before the host, which make one site look like another, nor a space in it. */
const absolute = /^https?:\/\/[^/?# @]+(?:[/?#]|$)/i;

/** White space other than the plain space, what can't be seen, and the backslash, which browsers take for a slash. */
const deceptive = /[^\S ]|[\p{Cc}\p{Cf}\\]/u;

/**
 * The web address in `text`, or `undefined` for everything else: `javascript:` and `data:`, `//host`, `\\host`,
 * credentials, white space before or in the host, and what does not parse. A space after the host is one that a link
 * decoded, and is encoded again.
 */
export function parseWebAddress(text: unknown): WebAddress | undefined {
  if (typeof text !== 'string' || text.length > longestAddress) return undefined;
  if (deceptive.test(text) || !absolute.test(text)) return undefined;
  const url = URL.parse(text.replaceAll(' ', '%20'));
  return url === null ? undefined : { href: url.href, host: url.host };
}
