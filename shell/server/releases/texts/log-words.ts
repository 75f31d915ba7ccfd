import * as z from 'zod/mini';

const longest = 200;

/**
 * Words of a person or a script for the log, as one line without control characters, whichever way they come in.
 *
 * @param what they are, for the message that they are too long: `a reason`
 */
export const logWordsSchema = (what: string) =>
  z.string().check(
    z.overwrite((text) => text.replaceAll(/[\s\p{C}]+/gu, ' ').trim()),
    z.maxLength(longest, `Write ${what} of at most ${longest} characters.`),
  );
