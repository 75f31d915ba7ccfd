import { createHmac } from 'node:crypto';
import { mailboxKey } from '../database/index.ts';

/**
 * Returns what the audit log has in place of an email: HMAC-SHA-256, the same for all of its spellings. A hash without a
 * key could be tested against a list of emails.
 *
 * @param key `AUDIT_KEY`
 * @returns 43 characters of base64url
 */
export const subjectOf = (email: string, key: string): string =>
  createHmac('sha256', key).update(mailboxKey(email)).digest('base64url');
