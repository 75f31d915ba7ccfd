import {
  type IntegrityLookup,
  integrityLookupName,
  type RegisteredRelease,
  refusedIntegrity,
  releaseFileAddress,
} from '@daybook/contract';

/** A browser ignores a value of another form, and takes the file unchecked. */
const wellFormed = /^sha384-[A-Za-z0-9+/]{64}$/;

/** By path, the value of each file that this page may take. */
const admitted = new Map<string, string>();

/** From now on this page takes the scripts and styles of a release, as they were released. */
export function admitFiles(name: string, { version, integrity = {} }: RegisteredRelease): void {
  for (const [file, value] of Object.entries(integrity))
    admitted.set(releaseFileAddress({ name, version }, file), value);
}

/** By path, how often a file has been asked for. */
const asked = new Map<string, number>();

/**
 * A file is asked for again where it has failed. Chromium answers a script that it refused from memory for as long as
 * the document lives and the attribute stays the same; another value, which no file has, makes it fetch anew.
 */
function withoutMemory(path: string, value: string): string {
  const times = asked.get(path) ?? 0;
  asked.set(path, times + 1);
  return times === 0 ? value : `${value} sha384-${String(times).padStart(64, 'A')}`;
}

/** The integrity value that a file must have; one that no file has where it is not among those admitted. */
export const integrityOf: IntegrityLookup = (address) => {
  const { origin, pathname } = new URL(address, location.href);
  const value = origin === location.origin ? admitted.get(pathname) : undefined;
  return value !== undefined && wellFormed.test(value) ? withoutMemory(pathname, value) : refusedIntegrity;
};

/** Lets the remotes' own loading of chunks and styles ask for integrity values; before any remote is loaded. */
export function provideIntegrity(): void {
  Object.defineProperty(globalThis, integrityLookupName, { value: integrityOf });
}
