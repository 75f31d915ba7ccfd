/** The stable codes of everything that can be refused or go wrong; clients may rely on them. */
export type ErrorCode =
  | 'ADDRESS_TOO_LONG'
  | 'BAD_REQUEST'
  | 'BODY_TOO_LARGE'
  | 'DATABASE_UNAVAILABLE'
  | 'ENTRY_NOT_FOUND'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'INTERNAL'
  | 'MALFORMED_JSON'
  | 'NOT_FOUND'
  | 'TOO_MANY_REQUESTS'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'VALIDATION_FAILED';

/**
 * A failure that is part of normal business: it has a stable code, and a message for a person that names the
 * thing and what to do. It knows nothing of HTTP.
 */
export abstract class ExpectedError extends Error {
  /** @param retryAfter after how many seconds the same request may succeed, where that is known */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}
