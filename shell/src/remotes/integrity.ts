import { rejectedIntegrity, type VerifiedElement, verifiedElementName } from '@daybook/contract/page';
import { type RegisteredRelease, releaseFileUrl } from '@daybook/contract/release';
import { scriptUrl } from '../trusted-types.ts';

/** Browsers ignore a value of any other form, and load the file unchecked. */
const wellFormed = /^sha384-[A-Za-z0-9+/]{64}$/;

/** Integrity values by path. */
const admitted = new Map<string, string>();

/** Number of requests by path. */
const requestCounts = new Map<string, number>();

/**
 * Allows this page to load the files of a release, with their released content only. A release is admitted again after a
 * failure; what the document preloads counts as requested then.
 */
export function admitFiles(name: string, { version, integrity = {} }: RegisteredRelease): void {
  for (const [file, value] of Object.entries(integrity)) {
    const path = releaseFileUrl({ name, version }, file);
    if (admitted.has(path)) requestCounts.set(path, requestCounts.get(path) ?? 1);
    admitted.set(path, value);
  }
}

/** Adds a value that no file has to a retry: Chromium returns a script that it rejected from memory for the same attribute. */
function withoutMemory(path: string, value: string): string {
  const times = requestCounts.get(path) ?? 0;
  requestCounts.set(path, times + 1);
  return times === 0 ? value : `${value} sha384-${String(times).padStart(64, 'A')}`;
}

/** Returns the integrity value of a file; for one that is not admitted, a value that no file has. */
function admittedIntegrity(url: string): string {
  const { origin, pathname } = new URL(url, location.href);
  const value = origin === location.origin ? admitted.get(pathname) : undefined;
  return value !== undefined && wellFormed.test(value) ? withoutMemory(pathname, value) : rejectedIntegrity;
}

export const verifiedElement: VerifiedElement = (element, url) => {
  if (element instanceof HTMLScriptElement) element.src = scriptUrl(url);
  else element.href = url;
  element.crossOrigin = 'anonymous';
  element.integrity = admittedIntegrity(url);
  return element;
};

/** Provides verified elements for the bundler runtimes; must run before any file is loaded. */
export function provideVerifiedElements(): void {
  Object.defineProperty(globalThis, verifiedElementName, { value: verifiedElement });
}
