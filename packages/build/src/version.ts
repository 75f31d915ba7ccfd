import { createHash } from 'node:crypto';

/** Stands for the hash of the content until that is known. As long as the hash, so that source maps stay right. */
export const placeholder = 'vERSIONhASHh';

const isText = (name: string) => /\.(?:js|css|html|map|svg|json)$/.test(name);

/** Returns 12 hex digits; equal files and metadata have equal ones. Files contain the placeholder of their version. */
export function contentHash(files: ReadonlyMap<string, Buffer>, metadata: unknown = null): string {
  const hash = createHash('sha256').update(JSON.stringify(metadata));
  for (const [name, content] of [...files].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update('\0').update(name).update('\0').update(String(content.length)).update('\0').update(content);
  return hash.digest('hex').slice(0, 12);
}

export const withHash = (files: ReadonlyMap<string, Buffer>, hash: string): Map<string, Buffer> =>
  new Map(
    [...files].map(([name, content]) => [
      name.replaceAll(placeholder, hash),
      isText(name) ? Buffer.from(content.toString().replaceAll(placeholder, hash)) : content,
    ]),
  );
