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

/** An error that is part of normal operation, with a message for people. It is independent of HTTP. */
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

export class TooManyRequestsError extends ExpectedError {
  /** @param retryAfter seconds until one more is accepted */
  constructor(
    retryAfter: number,
    message = `There were too many requests at once. Please try again in ${retryAfter === 1 ? 'a second' : `${retryAfter} seconds`}.`,
  ) {
    super('TOO_MANY_REQUESTS', message, retryAfter);
  }
}

export class EntryNotFoundError extends ExpectedError {
  constructor(id: number) {
    super('ENTRY_NOT_FOUND', `No entry has the id ${id}. Sign up to get one.`);
  }
}

export class EntryNotOfThisBrowserError extends ExpectedError {
  constructor() {
    super('ENTRY_NOT_FOUND', 'This browser did not sign up with this address. Sign up to get an entry.');
  }
}
