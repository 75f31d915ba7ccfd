import { type Release, releaseFileName } from '@daybook/contract';
import { releaseLimits } from './release-limits.ts';
import { ReleaseRefusal } from './release-refusal.ts';

/** The folders that a file is in: `a` and `a/b` of `a/b/c.js`. */
export function foldersOf(name: string): readonly string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/**
 * Checks that a release's files find room in one folder beside its description, on any file system.
 *
 * @throws ReleaseRefusal naming the file that does not
 */
export function checkNames({ version, files }: Release): void {
  const refuse = (what: string) => {
    throw new ReleaseRefusal('malformed', what);
  };
  const long = [version, ...Object.keys(files)].find((name) => name.length > releaseLimits.name);
  if (long) refuse(`${long.slice(0, 40)} … has ${long.length} characters; at most ${releaseLimits.name} are taken`);
  const deep = Object.keys(files).find((name) => foldersOf(name).length > releaseLimits.depth);
  if (deep) refuse(`its file ${deep} is in more than ${releaseLimits.depth} folders`);
  const folders = new Set(Object.keys(files).flatMap(foldersOf));
  if (folders.size > releaseLimits.folders)
    refuse(`its files are in ${folders.size} folders; at most ${releaseLimits.folders} are taken`);
  const taken = new Map([[releaseFileName, releaseFileName]]);
  for (const name of Object.keys(files)) {
    const same = taken.get(name.toLowerCase());
    if (same === name) refuse(`it names ${name} among its files, which is its description`);
    if (same) refuse(`its file ${name} is ${same} on a file system that knows no upper case`);
    taken.set(name.toLowerCase(), name);
  }
  for (const name of Object.keys(files)) {
    const file = foldersOf(name.toLowerCase()).find((folder) => taken.has(folder));
    if (file) refuse(`its file ${taken.get(file)} is a folder of its file ${name}`);
  }
}
