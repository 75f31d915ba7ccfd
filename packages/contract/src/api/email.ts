// Without schemas: pages don't load zod.

export const invalidEmailMessage = 'Please enter a valid email address.';

/** RFC 5321, section 4.5.3.1.3. */
export const emailMaxLength = 254;

/** One mailbox, with invisible characters around it, which people paste, but not inside, where they could add a header. */
const mailbox =
  /^[\s\p{DI}]*((?:(?!\p{DI})[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-])+)@((?:(?!\p{DI})[\p{L}\p{M}\p{Nd}.。．｡-]){1,254})[\s\p{DI}]*$/u;

const hostName = /^(?:(?!-)[a-z\d-]{1,63}(?<!-)(?:\.(?!$)|$))+$/;

const misplacedDotOrNotAscii = /^\.|\.[.@]|[^!-~]/;
/** With a dot, and no IP address. */
const publicHost = /\.[a-z][^.@]*$/;

/** Returns a domain in lower case and punycode. */
function hostOf(domain: string): string {
  try {
    // With a name at its end, `1.2` is not read as the IP address 1.0.0.2.
    return new URL(`http://${domain}.a`).hostname.slice(0, -2);
  } catch {
    return '';
  }
}

/**
 * Returns the spelling in which an email is stored: trimmed, its domain in lower case and punycode. `undefined` for a text
 * that isn't one email (docs/product.md, Validation).
 */
export function emailOf(typed: string): string | undefined {
  const [, local = '', domain = ''] = mailbox.exec(typed) ?? [];
  const host = hostOf(domain);
  const email = `${local}@${host}`;
  return hostName.test(host) && email.length <= emailMaxLength ? email : undefined;
}

/** Returns the same for a signup, which also needs a public domain. */
export function signupEmailOf(typed: string): string | undefined {
  const email = emailOf(typed);
  return email !== undefined && publicHost.test(email) && !misplacedDotOrNotAscii.test(email) ? email : undefined;
}
