import { createHash } from 'node:crypto';

/** The subresource integrity value of a content. */
export const integrityOf = (content: Uint8Array) => `sha384-${createHash('sha384').update(content).digest('base64')}`;
