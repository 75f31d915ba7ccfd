import { hash, timingSafeEqual } from 'node:crypto';

/** Compares in a time that says nothing of how much is right. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));

/** Whether an `Authorization` header carries a token. */
export function isBearerOf(token: string, header: string | undefined): boolean {
  const [, given] = /^Bearer (\S+)$/i.exec(header ?? '') ?? [];
  return given !== undefined && isSameSecret(given, token);
}

/** The shortest operator token, in characters. */
export const operatorTokenMinLength = 24;

/** What who comes without the token is told. */
export const operatorTokenNeeded = 'Send the operator token: Authorization: Bearer <OPERATOR_TOKEN>\n';
