// Without schemas: pages don't load zod.

export const invalidEmailMessage = 'Please enter a valid email address.';

/** Maximum length that SMTP can deliver to, in characters (RFC 5321, section 4.5.3.1.3). */
export const emailMaxLength = 254;

/** Maximum length with what is trimmed, in characters. */
export const typedEmailMaxLength = 320;

/** White space, and zero-width characters, which people paste without seeing them. */
const ends = /^[\s\p{DI}]+|[\s\p{DI}]+$/gu;

/** One mailbox: no separators or invisible characters, which could add a recipient or a header. */
const mailbox = /^(?!.*\p{DI})([\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+)@([\p{L}\p{M}\p{Nd}.。．｡-]+)$/u;

const hostName = /^(?:(?!-)[a-z\d-]{1,63}(?<!-)(?:\.(?!$)|$))+$/;

/** In ASCII, without misplaced dots, and with a domain that has a dot and isn't an IP address. */
const publicMailbox = /^(?!\.|.*\.[.@])[!-~]+@.+\.[a-z][^.]*$/;

/** Returns a domain in lower case and punycode. */
function hostOf(domain: string): string {
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return '';
  }
}

/**
 * Returns the spelling in which an email is stored: trimmed, its domain in lower case and punycode. `undefined` for a text
 * that isn't one email. The rule of all forms and links but the signup's (docs/product.md, Validation).
 */
export function emailOf(typed: string): string | undefined {
  if (typed.length > typedEmailMaxLength) return undefined;
  const [, local = '', domain = ''] = mailbox.exec(typed.replace(ends, '')) ?? [];
  const host = hostOf(domain);
  const email = `${local}@${host}`;
  return hostName.test(host) && email.length <= emailMaxLength ? email : undefined;
}

/** Returns the same for a signup, which also needs a public domain (docs/product.md, Validation). */
export function signupEmailOf(typed: string): string | undefined {
  const email = emailOf(typed);
  return email !== undefined && publicMailbox.test(email) ? email : undefined;
}
