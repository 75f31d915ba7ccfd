import { hash, randomBytes } from 'node:crypto';

/** The token in the link of a preview: 128 random bits in base64url; the last character has four unused bits. */
export const previewTokenPattern = /^[\w-]{21}[AQgw]$/;

/** Returns a new token, which nobody can guess. */
export const newPreviewToken = (): string => randomBytes(16).toString('base64url');

/** Returns what registry and log have of a token: its SHA-256, in base64url. */
export const hashOfToken = (token: string): string => hash('sha256', token, 'base64url');
