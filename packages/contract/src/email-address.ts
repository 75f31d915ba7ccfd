import * as z from 'zod/mini';

/** Longest address that SMTP can deliver to (RFC 5321, section 4.5.3.1.3), in characters. */
export const emailAddressMaxLength = 254;

export const invalidEmailAddressMessage = 'Please enter a valid email address.';

const localPart = /^(?!\.)(?!.*\.\.)[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}(?<!\.)$/;
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const notInADomain = /[\s/?#:@\\[\]%]/;

/**
 * The one spelling under which an address is stored and compared: trimmed, its domain in lower case
 * and punycode. The local part stays as typed: dots and plus tags belong to the mailbox's owner.
 *
 * @returns the normalised address, or the trimmed text where its domain is no host name.
 */
export function normaliseEmailAddress(text: string): string {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  const host = trimmed.slice(at + 1);
  if (at < 1 || host === '' || notInADomain.test(host)) return trimmed;
  const url = URL.parse(`http://${host}`);
  return url === null ? trimmed : `${trimmed.slice(0, at)}@${url.hostname}`;
}

function isEmailAddress(address: string): boolean {
  const at = address.lastIndexOf('@');
  return localPart.test(address.slice(0, at)) && domain.test(address.slice(at + 1));
}

/**
 * An e-mail address as typed in; gives its normalised spelling (product document, section 5).
 * `URL.parse` above needs a browser of 2024 or later, like the rest of the site.
 */
export const emailAddressSchema = z.pipe(
  z.pipe(
    z
      .string(invalidEmailAddressMessage)
      .check(z.maxLength(1024, `An email address has at most ${emailAddressMaxLength} characters.`)),
    z.transform(normaliseEmailAddress),
  ),
  z.string().check(
    z.maxLength(emailAddressMaxLength, {
      error: `An email address has at most ${emailAddressMaxLength} characters.`,
      abort: true,
    }),
    z.refine(isEmailAddress, invalidEmailAddressMessage),
  ),
);
