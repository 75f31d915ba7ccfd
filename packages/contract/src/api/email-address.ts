// Separate from the schemas: the privacy pages do not bundle zod.

/** Text longer than this is no address, and is not searched for one. In characters. */
const maxTypedLength = 1024;

/** Characters that nobody sees at an end: white space, controls, format characters, fillers, variation selectors. */
const unseenEnds = /^[\p{Z}\p{Cc}\p{Cf}\p{DI}\u2800\ufffc]+|[\p{Z}\p{Cc}\p{Cf}\p{DI}\u2800\ufffc]+$/gu;

/** U+F0B7 is the bullet of word processors. `-`, `*` and `+` can begin an address: they are bullets only before a space. */
const bullet = /^(?:[•‣◦·●○▪■∙–—−\uf0b7]|[-*+](?=\s))/;

/** With its query. In a URI, `%` begins an encoded character: such addresses are left alone, and so rejected. */
const mailto = /^mailto:(?:\/\/)?([^?%]+)(?:\?.*)?$/i;

/** What encloses an address: brackets and quotes, each with what closes it in some language. */
const enclosed =
  /^(?:<.*>|\(.*\)|\[.*\]|＜.*＞|（.*）|「.*」|".*"|'.*'|`.*`|[“”„].*[“”]|[‘’‚].*[‘’]|[«»].*[«»]|[‹›].*[‹›])$/;

/** One character that ends a sentence or separates entries of a list, in the forms of input methods too. */
const endOfSentence = /([^.,;。．｡，；、])[.,;。．｡，；、]$/;

/** Removes what people paste with an address, until nothing of it is left. Never changes anything inside. */
function unwrap(typed: string): string {
  let text = typed;
  for (let before = ''; text !== before; ) {
    before = text;
    text = text.replace(unseenEnds, '').replace(bullet, '').replace(mailto, '$1').replace(endOfSentence, '$1');
    if (enclosed.test(text)) text = text.slice(1, -1);
  }
  return text;
}

/**
 * Returns whether a domain, before it is mapped to ASCII, consists of letters, marks, digits and hyphens, and of no
 * lookalikes: the mapping is no validation. It turns `example.com™` into `example.comtm` and a non-breaking hyphen into
 * punycode. Allows the underscore of host names, and the full stop of input methods.
 */
export const isInternationalDomain = (domain: string): boolean =>
  /^(?!.*\p{DI})[\p{L}\p{Mn}\p{Mc}\p{Nd}._。-]+$/u.test(domain) && domain.normalize('NFKC') === domain;

/**
 * Returns a domain in lower case and punycode. The full-width forms of input methods count as what they stand for, as
 * in browsers. Only other characters beyond ASCII need the URL parser, which also reads paths and ports, drops control
 * characters, and turns numbers into IP addresses.
 */
function toAscii(typed: string): string {
  const domain = typed.replace(/[\uff00-\uffef]+/g, (wide) => wide.normalize('NFKC')).normalize();
  if (!/[^\0-\x7f]/.test(domain)) return domain.toLowerCase();
  return (isInternationalDomain(domain) && URL.parse(`http://${domain}`)?.hostname) || typed;
}

/**
 * Returns the canonical spelling under which an address is stored and compared: without what people paste with it, the
 * domain in lower case and punycode. The local part is unchanged: dots and plus tags belong to the mailbox's owner. Text
 * that is not an address never becomes one.
 */
export function normalizeEmailAddress(typed: string): string {
  if (typed.length > maxTypedLength) return typed;
  const text = unwrap(typed);
  // Without an @ there is no domain; the full-width one of input methods is none.
  const start = text.lastIndexOf('@') + 1 || text.length;
  return text.slice(0, start) + toAscii(text.slice(start));
}

/**
 * Matches a mailbox that a message header can contain: no separators, quotes, blanks, or control and invisible
 * characters, which could add a second recipient or header. The host is a name, also with an underscore, or an IP address.
 * A quote at the start is the rest of a pair that was copied in part: the request would be for somebody else.
 */
const oneMailbox =
  /^(?!['`]|.*\p{DI})[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+@(?:(?:[a-z\d_][a-z\d_-]*\.)*[a-z\d_][a-z\d_-]*|\[(?:ipv6:)?[\da-f.:]+\])$/u;

/**
 * Returns whether a normalized address names exactly one mailbox. The privacy forms require no more (docs/product.md,
 * Validation), so that no rule about dots or hosts prevents an opt-out.
 */
export const isOneMailbox = (address: string): boolean => oneMailbox.test(address);
