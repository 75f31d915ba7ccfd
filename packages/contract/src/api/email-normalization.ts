// Apart from the schemas: the privacy pages carry no zod.

/** Letters, digits, hyphens and dots, at least one of them beyond ASCII: what the URL parser can only read as a host. */
const internationalDomain = /^(?=.*[^\0-\x7f])[a-z\d.\-\x80-\uffff]+$/i;

/**
 * Returns the one spelling under which an address is stored and compared: trimmed, one trailing dot of the domain
 * removed, the domain in lower case and punycode. The local part stays as typed: dots and plus tags belong to the
 * mailbox's owner. Text that is no address stays none.
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
 * A mailbox as one message header can name it: no separators, quotes, blanks, or control and invisible characters, which
 * could add a second recipient or header. Its domain is a host name, and no number for an IP address in any notation.
 */
const oneMailbox = /^[^\s\p{C}@,;<>"]+@(?:[a-z\d][a-z\d-]*\.)*[a-z][a-z\d-]*$/u;

/**
 * Returns whether a normalized address names exactly one mailbox. The privacy forms ask for no more (docs/product.md,
 * Validation: it contains an @), so that no rule about local parts keeps anybody from opting out.
 */
export const isOneMailbox = (address: string): boolean => oneMailbox.test(address);
