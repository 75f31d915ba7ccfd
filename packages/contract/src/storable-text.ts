import * as z from 'zod/mini';

/** A check for free text: the database takes no NUL character, and half of a surrogate pair is no character. */
export const isStorable = z.refine<string>(
  (text) => !text.includes('\0') && text.isWellFormed(),
  'contains a character that cannot be stored',
);
