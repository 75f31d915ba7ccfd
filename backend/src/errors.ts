/** The stable error codes of the API; clients may rely on them. */
export type ErrorCode =
  | 'ADDRESS_TOO_LONG'
  | 'BAD_REQUEST'
  | 'BODY_TOO_LARGE'
  | 'DATABASE_UNAVAILABLE'
  | 'ENTRY_NOT_FOUND'
  | 'INTERNAL'
  | 'MALFORMED_JSON'
  | 'NOT_FOUND'
  | 'TOO_MANY_REQUESTS'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'VALIDATION_FAILED';

/**
 * An error that is part of normal operation. It has a stable code, and a message for people that says what is affected
 * and what to do. It is independent of HTTP.
 */
export abstract class ExpectedError extends Error {
  /** @param retryAfter seconds until the same request may succeed, if known */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}
