import * as z from 'zod/mini';
import { isDomain } from '#domain';
import { emailAddressMaxLength, isOneMailbox, normalizeEmailAddress, typedAddressMaxLength } from './email-address.ts';

/** A check for free text: the database rejects NUL characters, and half of a surrogate pair is not a character. */
export const isStorable = z.refine<string>(
  (text) => !text.includes('\0') && text.isWellFormed(),
  'contains a character that cannot be stored',
);

export const invalidEmailAddressMessage = 'Please enter a valid email address.';

/** Ends validation: the patterns see no longer text. */
const maxLength = (characters: number) =>
  z.maxLength(characters, {
    error: `An email address has at most ${emailAddressMaxLength} characters.`,
    abort: true,
  });

/** Normalizes typed text. What surrounds an address may exceed its limit, but only up to a bound. */
const typedAddressSchema = z.pipe(
  z.string(invalidEmailAddressMessage).check(maxLength(typedAddressMaxLength)),
  z.transform(normalizeEmailAddress),
);

/**
 * Matches the address of a signup: the pattern of a field of type `email`, without a dot at either end of the local part
 * or two in a row, and with a dot in the domain and a letter after the last one, which excludes IP addresses. A quote at
 * the start is the rest of a pair that was copied in part.
 */
const signupAddress =
  /^(?![.'`]|.*\.[.@])[a-z\d.!#$%&'*+/=?^_`{|}~-]+@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/i;

const hasDomain = (address: string) => isDomain(address.slice(address.indexOf('@') + 1));

/** Parses the address of a signup (docs/product.md, Validation). Returns its normalized spelling. */
export const emailAddressSchema = z.pipe(
  typedAddressSchema,
  z
    .email({ pattern: signupAddress, error: invalidEmailAddressMessage, abort: true })
    .check(z.refine(hasDomain, invalidEmailAddressMessage), maxLength(emailAddressMaxLength)),
);

/** Parses the address of a privacy request; returns the spelling under which a signup with it is stored. */
export const privacyAddressSchema = z.pipe(
  typedAddressSchema,
  z.string().check(maxLength(emailAddressMaxLength), z.refine(isOneMailbox, invalidEmailAddressMessage)),
);
