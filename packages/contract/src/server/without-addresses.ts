const emailAddress = /[\w.!#$%&'*+=?^`{|}~-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+/gi;

/** A text for the log, with every e-mail address in it blanked out: what an error quotes is not ours to choose. */
export function withoutAddresses(text: string): string {
  return text.replace(emailAddress, '[address]');
}
