import * as z from 'zod/mini';
import { isDomain } from '#domain';
import { emailMaxLength, isOneMailbox, normalizeEmail, typedEmailMaxLength } from './email.ts';

/** A check for free text: the database rejects NUL characters, and half of a surrogate pair is not a character. */
export const isStorable = z.refine<string>(
  (text) => !text.includes('\0') && text.isWellFormed(),
  'contains a character that cannot be stored',
);

export const invalidEmailMessage = 'Please enter a valid email address.';

/** Ends validation: the patterns see no longer text. */
const maxLength = (characters: number) =>
  z.maxLength(characters, {
    error: `An email address has at most ${emailMaxLength} characters.`,
    abort: true,
  });

/** Normalizes typed text. What surrounds an email may exceed its limit, but only up to a bound. */
const typedEmailSchema = z.pipe(
  z.string(invalidEmailMessage).check(maxLength(typedEmailMaxLength)),
  z.transform(normalizeEmail),
);

/**
 * Matches the email of a signup: the pattern of a field of type `email`, without a dot at either end of the local part
 * or two in a row, and with a dot in the domain and a letter after the last one, which excludes IP addresses. A quote at
 * the start is the rest of a pair that was copied in part.
 */
const signupPattern =
  /^(?![.'`]|.*\.[.@])[a-z\d.!#$%&'*+/=?^_`{|}~-]+@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/i;

const hasDomain = (email: string) => isDomain(email.slice(email.indexOf('@') + 1));

/** Parses the email of a signup (docs/product.md, Validation). Returns its normalized spelling. */
export const emailSchema = z.pipe(
  typedEmailSchema,
  z
    .email({ pattern: signupPattern, error: invalidEmailMessage, abort: true })
    .check(z.refine(hasDomain, invalidEmailMessage), maxLength(emailMaxLength)),
);

/** Parses the email of a privacy request; returns the spelling under which a signup with it is stored. */
export const privacyEmailSchema = z.pipe(
  typedEmailSchema,
  z.string().check(maxLength(emailMaxLength), z.refine(isOneMailbox, invalidEmailMessage)),
);
