/**
 * Returns content of a release without its version: a build writes version and content hash into class names and URLs,
 * so unchanged content of two releases is equal only without them.
 *
 * @param version ends with the content hash: `1.0.0-3f9ac2d1`
 */
export function withoutVersion(content: string, version: string): string {
  const hash = version.split('-').at(-1) ?? version;
  return content.replaceAll(version, '<version>').replaceAll(hash, '<hash>');
}
