/**
 * Makes one line of a text that may be hostile, without control characters, which a terminal would act on.
 *
 * @param length number of characters to truncate it to
 */
export function lineOf(text: string, length = Number.POSITIVE_INFINITY): string {
  const line = text.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  // Well-formed: half of a character is no UTF-8.
  return line.length > length ? `${line.slice(0, length).toWellFormed()} …` : line;
}
