import * as z from 'zod/mini';

const longest = 200;

/** One line of words without control characters, which a terminal would act on: the log is read in many places. */
const inOneLine = (text: string) => text.replaceAll(/[\s\p{C}]+/gu, ' ').trim();

/** Words for the log that nobody can be asked to shorten. */
export const cutForLog = (text: string) => inOneLine(text).slice(0, longest);

/**
 * Words of a person or a script for the log, as one line without control characters, whichever way they come in.
 *
 * @param what they are, for the message that they are too long: `a reason`
 */
export const logWordsSchema = (what: string) =>
  z.string().check(z.overwrite(inOneLine), z.maxLength(longest, `Write ${what} of at most ${longest} characters.`));
