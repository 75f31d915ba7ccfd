import { hash, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Derives a key of 32 bytes for one purpose from a secret, so that a value signed for one is not valid for another. */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `daybook ${purpose}`, 32));

/** Compares two secrets of any length in constant time, by their hashes. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));

/** Returns the token of an `Authorization: Bearer` header; an empty text for any other header. */
export const bearerTokenOf = (header: string | undefined): string => /^Bearer (\S+)$/i.exec(header ?? '')?.[1] ?? '';
