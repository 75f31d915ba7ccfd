import * as z from 'zod/mini';
import { emailOf, invalidEmailMessage, signupEmailOf } from './email.ts';

/** A check for free text: the database rejects NUL characters, and half of a surrogate pair is not a character. */
export const isStorable = z.refine<string>(
  (text) => !text.includes('\0') && text.isWellFormed(),
  'contains a character that cannot be stored',
);

const emailSchemaOf = (read: typeof emailOf) =>
  z.pipe(
    z.string(invalidEmailMessage),
    z.transform((typed, { issues }) => {
      const email = read(typed);
      if (email === undefined) issues.push({ code: 'custom', message: invalidEmailMessage, input: typed });
      return email ?? z.NEVER;
    }),
  );

/** Parse an email to the spelling in which it is stored (docs/product.md, Validation). */
export const emailSchema = emailSchemaOf(emailOf);
export const signupEmailSchema = emailSchemaOf(signupEmailOf);
