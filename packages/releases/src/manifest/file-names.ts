import { type Release, releaseFileName } from '@daybook/contract/release';
import { releaseLimits } from './limits.ts';

/** The part of an upload with the signature of the release; the manifest is `release.json`. */
export const signatureFileName = 'release.jws';

/** Returns the folders of a file: `a` and `a/b` for `a/b/c.js`. */
export function foldersOf(name: string): readonly string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Precompressed forms of the manifest: a server sends them in place of it. */
const sentInstead = /^release\.(?:json|jws)\./i;

/**
 * Returns why a release's files can't be stored in one folder beside its manifest, on any file system, or would be served in
 * place of it.
 */
export function fileNameErrors({ version, files }: Pick<Release, 'version' | 'files'>): readonly string[] {
  const names = Object.keys(files);
  const long = [version, ...names].filter((name) => name.length > releaseLimits.name);
  // Before anything else: the folders of a name take the square of its length.
  if (long.length > 0)
    return long.map(
      (name) => `${name.slice(0, 40)} … has ${name.length} characters; at most ${releaseLimits.name} are accepted`,
    );
  const folders = new Set(names.flatMap(foldersOf));
  return [
    ...names
      .filter((name) => foldersOf(name).length > releaseLimits.depth)
      .map((name) => `its file ${name} is in more than ${releaseLimits.depth} folders`),
    ...(folders.size > releaseLimits.folders
      ? [`its files are in ${folders.size} folders; at most ${releaseLimits.folders} are accepted`]
      : []),
    ...names
      .filter((name) => sentInstead.test(name))
      .map((name) => `its file ${name} would be sent in place of its manifest`),
    ...collidingNames(names),
  ];
}

/** File systems may not distinguish cases, and none has a folder and a file of the same name. */
function collidingNames(names: readonly string[]): readonly string[] {
  const used = new Map<string, string>([releaseFileName, signatureFileName].map((name) => [name, name]));
  const errors: string[] = [];
  for (const name of names) {
    const same = used.get(name.toLowerCase());
    if (same === name) errors.push(`it lists ${name} among its files, which is its own`);
    else if (same) errors.push(`its file ${name} is ${same} on a case-insensitive file system`);
    used.set(name.toLowerCase(), name);
  }
  for (const name of names) {
    const file = foldersOf(name.toLowerCase()).find((folder) => used.has(folder));
    if (file) errors.push(`its file ${used.get(file)} is a folder of its file ${name}`);
  }
  return errors;
}
