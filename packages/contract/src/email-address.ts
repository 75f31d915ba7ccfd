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

/** Text that was typed in as an address; gives its normalised spelling, if that is taken. */
const typedAddressSchema = (isTaken: (address: string) => boolean) =>
  z.pipe(
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
      z.refine(isTaken, invalidEmailAddressMessage),
    ),
  );

/**
 * An e-mail address as typed in; gives its normalised spelling (product document, section 5).
 * `URL.parse` above needs a browser of 2024 or later, like the rest of the site.
 */
export const emailAddressSchema = typedAddressSchema(isEmailAddress);

/** What could get into a header as another one, and what no mailbox has: blanks, control and invisible characters. */
const aroundAnAtSign = /^[^\s\p{Cc}\p{Cf}\p{Cs}]+@[^\s\p{Cc}\p{Cf}\p{Cs}]+$/u;

/**
 * An address as the privacy forms take it: an @ sign is all that they ask for (product document, section 5), so that
 * no rule about addresses turns anybody away. Gives the spelling under which a signup with it is stored.
 */
export const privacyAddressSchema = typedAddressSchema((address) => aroundAnAtSign.test(address));
