import { createHash } from 'node:crypto';

/**
 * Stands for the hash in a release's version until the build's content is known. As long as the hash, so that
 * positions in source maps stay right.
 */
export const placeholder = 'vERSIONhASHh';

/** Files in which the placeholder can occur; all others stay as they are. */
const isText = (name: string) => /\.(?:js|css|html|map|svg|json)$/.test(name);

/**
 * Returns the hash of files: 12 hex digits. That of a build's content is the second half of its version: equal files
 * have equal hashes, whatever they were built from.
 *
 * @param files by name, with the placeholder where the version will be
 * @param metadata what a release states in addition to its files
 */
export function contentHash(files: ReadonlyMap<string, Buffer>, metadata: unknown = null): string {
  const hash = createHash('sha256').update(JSON.stringify(metadata));
  for (const [name, content] of [...files].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update('\0').update(name).update('\0').update(String(content.length)).update('\0').update(content);
  return hash.digest('hex').slice(0, 12);
}

/** Replaces the placeholder in names and contents of files. */
export const withHash = (files: ReadonlyMap<string, Buffer>, hash: string): Map<string, Buffer> =>
  new Map(
    [...files].map(([name, content]) => [
      name.replaceAll(placeholder, hash),
      isText(name) ? Buffer.from(content.toString().replaceAll(placeholder, hash)) : content,
    ]),
  );
