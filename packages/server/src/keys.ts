import { hash, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * Derives a key for one purpose from a secret with HKDF-SHA-256 (RFC 5869), so that a value signed for one purpose is
 * never valid for another.
 *
 * @param purpose names the use, such as `operator session`
 * @returns 32 bytes, the same for the same secret and purpose on every replica
 */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `daybook ${purpose}`, 32));

/** Compares two secrets of any length in constant time, by their hashes. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));

/** Returns the token of an `Authorization: Bearer` header; an empty text, which is no token, for any other header. */
export const bearerTokenOf = (header: string | undefined): string => /^Bearer (\S+)$/i.exec(header ?? '')?.[1] ?? '';
