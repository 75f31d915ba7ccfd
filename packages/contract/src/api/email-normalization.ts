// Separate from the schemas: the privacy pages do not bundle zod.

/**
 * Letters, digits, hyphens and dots, at least one of them beyond ASCII: text that the URL parser can read only as a
 * host.
 */
const internationalDomain = /^(?=.*[^\0-\x7f])[a-z\d.\-\x80-\uffff]+$/i;

/**
 * Returns the canonical spelling under which an address is stored and compared: trimmed, one trailing dot of the domain
 * removed, the domain in lower case and punycode. The local part is unchanged: dots and plus tags belong to the
 * mailbox's owner. Text that is not an address never becomes one.
 *
 * Only international domains go through the URL parser, which needs a browser of 2024 or later like the rest of the
 * site: it also reads paths and ports, drops control characters, and turns numbers into IP addresses.
 */
export function normalizeEmailAddress(text: string): string {
  const trimmed = text.trim();
  const start = trimmed.lastIndexOf('@') + 1;
  const domain = trimmed.slice(start);
  const host = internationalDomain.test(domain) ? URL.parse(`http://${domain}`)?.hostname : undefined;
  return trimmed.slice(0, start) + (host ?? domain.toLowerCase()).replace(/\.$/, '');
}

/**
 * Matches a mailbox that a message header can contain: no separators, quotes, blanks, or control and invisible
 * characters, which could add a second recipient or header. The domain is a host name, not an IP address in any
 * notation.
 */
const oneMailbox = /^[^\s\p{C}@,;<>"]+@(?:[a-z\d][a-z\d-]*\.)*[a-z][a-z\d-]*$/u;

/**
 * Returns whether a normalized address names exactly one mailbox. The privacy forms require no more (docs/product.md,
 * Validation: it contains an @), so that no rule about local parts prevents an opt-out.
 */
export const isOneMailbox = (address: string): boolean => oneMailbox.test(address);
