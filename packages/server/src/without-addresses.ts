const emailAddress = /[\w.!#$%&'*+=?^`{|}~-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+/gi;

/** A text for the log, with every e-mail address in it blanked out: what an error quotes is not ours to choose. */
export function withoutAddresses(text: string): string {
  // Most lines have none, and need not be searched letter by letter.
  if (!text.includes('@') && !text.includes('%40')) return text;
  return text.replace(emailAddress, '[address]');
}
