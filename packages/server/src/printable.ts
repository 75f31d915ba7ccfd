/** Characters that act on a terminal, or change how a line reads. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Returns an untrusted text as one line for people. */
export const printableLine = (text: string): string => text.replaceAll(controls, '\ufffd');

/** Returns lines for people, each printable. All commands write their output with it. */
export const printable = (lines: string): string => lines.split('\n').map(printableLine).join('\n');

/** Escapes the same characters in JSON, whose values stay the same; JSON itself escapes only the first 32. */
export const escapeControls = (json: string): string =>
  json.replaceAll(controls, (found) =>
    found === '\n' ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
