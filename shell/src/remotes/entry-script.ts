import { integrityOf } from './integrity.ts';

/** Timeout of a remote entry in ms, after which a fallback is tried. */
export const entryTimeout = 8_000;

/** Returns a script element for a remote entry that runs it only with its released content. */
export function entryScript(address: string): HTMLScriptElement {
  const script = document.createElement('script');
  script.src = address;
  script.crossOrigin = 'anonymous';
  script.integrity = integrityOf(address);
  return script;
}
