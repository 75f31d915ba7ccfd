import * as z from 'zod/mini';
import { isOneMailbox, normalizeEmailAddress } from './email-normalization.ts';

/** A check for free text: the database rejects NUL characters, and half of a surrogate pair is not a character. */
export const isStorable = z.refine<string>(
  (text) => !text.includes('\0') && text.isWellFormed(),
  'contains a character that cannot be stored',
);

/** Maximum length of an address that SMTP can deliver to (RFC 5321, section 4.5.3.1.3), in characters. */
export const emailAddressMaxLength = 254;

export const invalidEmailAddressMessage = 'Please enter a valid email address.';

const maxLength = (characters: number) =>
  z.maxLength(characters, `An email address has at most ${emailAddressMaxLength} characters.`);

/**
 * Normalizes typed text. Surrounding blanks may exceed the address's limit, but only up to a bound that protects the
 * URL parser.
 */
const typedAddressSchema = z.pipe(
  z.string(invalidEmailAddressMessage).check(maxLength(1024)),
  z.transform(normalizeEmailAddress),
);

/**
 * Matches a domain with a letter after its last dot: excludes IP addresses, which the browsers' pattern accepts as
 * host names.
 */
const publicDomain = /\.[a-z][a-z0-9-]*$/;

/**
 * Parses the address of a signup (docs/product.md, Validation): accepts what browsers accept in a field of type
 * `email`, with at least one dot in the domain. Returns its normalized spelling.
 */
export const emailAddressSchema = z.pipe(
  typedAddressSchema,
  z
    .email({ pattern: z.regexes.html5Email, error: invalidEmailAddressMessage, abort: true })
    .check(z.regex(publicDomain, invalidEmailAddressMessage), maxLength(emailAddressMaxLength)),
);

/** Parses the address of a privacy request; returns the spelling under which a signup with it is stored. */
export const privacyAddressSchema = z.pipe(
  typedAddressSchema,
  z.string().check(maxLength(emailAddressMaxLength), z.refine(isOneMailbox, invalidEmailAddressMessage)),
);
