// Separate from the schemas: the privacy pages do not bundle zod.

/** Maximum length of an email that SMTP can deliver to (RFC 5321, section 4.5.3.1.3), in characters. */
export const emailMaxLength = 254;

/** Maximum length of an email with what is pasted around it, in characters. Longer text is not searched for one. */
export const typedEmailMaxLength = 320;

/** One character that nobody sees at an end: white space, control, format character, filler, variation selector. */
const unseen = /[\p{Z}\p{Cc}\p{Cf}\p{DI}\u2800\ufffc]/u;

/** U+F0B7 is the bullet of word processors. `-`, `*` and `+` can begin an email: they are bullets only before a space. */
const bullet = /^(?:[•‣◦·●○▪■∙–—−\uf0b7]|[-*+]\s)/;

/** The first and the last character of a pair of brackets or quotes, with what closes each in some language. */
const enclosing = /^(?:<>|\(\)|\[\]|＜＞|（）|「」|""|''|``|[“”„][“”]|[‘’‚][‘’]|[«»][«»]|[‹›][‹›])$/;

/** One character that ends a sentence or separates entries of a list, in the forms of input methods too. */
const endOfSentence = /[^.,;。．｡，；、][.,;。．｡，；、]$/;

const lineBreak = /[\n\r\u2028\u2029]/;

/** In a URI, `%` begins an encoded character: such emails are left alone, and so rejected. */
const queryOrEncoded = /[?%]/;

/**
 * Removes what people paste with an email, until nothing of it is left. Never changes anything inside. Takes linear
 * time: two indexes move inwards, and patterns see two characters. A pattern for the end of a text tries each position.
 */
function unwrap(typed: string): string {
  const text = [...typed];
  let start = 0;
  let end = text.length;
  const first = (count: number) => text.slice(start, Math.min(start + count, end)).join('');
  const last = (count: number) => text.slice(Math.max(start, end - count), end).join('');

  const indexOf = (pattern: RegExp, from: number) => {
    let index = from;
    while (index < text.length && !pattern.test(text[index] ?? '')) index += 1;
    return index;
  };
  // The first of each behind the start, which never passes a query: nothing that begins with one is removed.
  const query = indexOf(queryOrEncoded, 0);
  const breakInQuery = indexOf(lineBreak, query);
  let nextBreak = indexOf(lineBreak, 0);

  for (let before = -1; before !== end - start; ) {
    before = end - start;
    while (unseen.test(first(1))) start += 1;
    while (unseen.test(last(1))) end -= 1;
    if (bullet.test(first(2))) start += 1;

    const isRemovable = query >= end || (text[query] === '?' && breakInQuery >= end);
    if (isRemovable && first(7).toLowerCase() === 'mailto:') {
      start += first(9).endsWith('//') ? 9 : 7;
      end = Math.min(query, end);
    }

    if (endOfSentence.test(last(2))) end -= 1;
    while (nextBreak < start) nextBreak = indexOf(lineBreak, nextBreak + 1);
    if (end - start > 1 && nextBreak >= end && enclosing.test(first(1) + last(1))) {
      start += 1;
      end -= 1;
    }
  }
  return text.slice(start, end).join('');
}

/**
 * Returns whether a domain, before it is mapped to ASCII, consists of letters, marks, digits and hyphens, and of no
 * lookalikes: the mapping is no validation. It turns `example.com™` into `example.comtm` and a non-breaking hyphen into
 * punycode. Allows the underscore of host names, and the full stop of input methods.
 */
export const isInternationalDomain = (domain: string): boolean =>
  /^(?!.*\p{DI})[\p{L}\p{Mn}\p{Mc}\p{Nd}._。-]+$/u.test(domain) && domain.normalize('NFKC') === domain;

/** Letters, digits, `-`, `_` and full stops of input methods. Others could become brackets or a second @. */
const wideForms = /[\uff0d\uff0e\uff10-\uff19\uff21-\uff3a\uff3f\uff41-\uff5a\uff61\uff66-\uffdc]+/g;

/**
 * Returns a domain in lower case and punycode. The full-width forms of input methods count as what they stand for, as
 * in browsers. Only other characters beyond ASCII need the URL parser, which also reads paths and ports, drops control
 * characters, and turns numbers into IP addresses.
 */
function toAscii(typed: string): string {
  const domain = typed.replace(wideForms, (wide) => wide.normalize('NFKC')).normalize();
  if (!/[^\0-\x7f]/.test(domain)) return domain.toLowerCase();
  return (isInternationalDomain(domain) && URL.parse(`http://${domain}`)?.hostname) || typed;
}

/**
 * Returns the canonical spelling under which an email is stored and compared: without what people paste with it, the
 * domain in lower case and punycode. The local part is unchanged: dots and plus tags belong to the mailbox's owner. Text
 * that is not an email never becomes one.
 */
export function normalizeEmail(typed: string): string {
  if (typed.length > typedEmailMaxLength) return typed;
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
 * Returns whether a normalized email names exactly one mailbox. The privacy forms require no more (docs/product.md,
 * Validation), so that no rule about dots or hosts prevents an opt-out.
 */
export const isOneMailbox = (email: string): boolean => email.length <= emailMaxLength && oneMailbox.test(email);
