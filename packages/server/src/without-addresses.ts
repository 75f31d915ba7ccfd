const local = "[\\p{L}\\p{M}\\p{N}_.!#$%&'*+=?^`{|}~-]";
const label = '(?:[\\p{L}\\p{M}\\p{N}_-]|%(?!40))+';

/** Begins only where a run of such characters does: tried at each character of a long run, it would take quadratic time. */
const emailAddress = new RegExp(`(?<!${local})${local}+(?:@|%40)${label}(?:\\.${label})*`, 'gu');

/** Returns a text for the log with every e-mail address in it blanked out: what an error quotes is not ours to choose. */
export function withoutAddresses(text: string): string {
  // Most lines have none, and need not be searched letter by letter.
  if (!text.includes('@') && !text.includes('%40')) return text;
  return text.replace(emailAddress, '[address]');
}
