/** In browsers, what punycode encodes is left to the server (`domain.ts`): nobody types it. */
export const isDomain = (_domain: string): boolean => true;
