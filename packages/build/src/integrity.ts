import { createHash } from 'node:crypto';

/** The subresource integrity value of a file's content: `sha384-` and the hash in base64. */
export function integrityOf(content: Uint8Array): string {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`;
}
