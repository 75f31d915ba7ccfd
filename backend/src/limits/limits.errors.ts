import { type ErrorCode, ExpectedError } from '../errors.ts';

/** More requests than people make came from one network, with one address, or in all. */
export class TooManyRequestsError extends ExpectedError {
  override readonly name = 'TooManyRequestsError';
  readonly code: ErrorCode = 'TOO_MANY_REQUESTS';

  /** @param retryAfter seconds until one more is taken */
  constructor(override readonly retryAfter: number) {
    super(`There were too many requests at once. Please try again ${inWords(retryAfter)}.`);
  }
}

const inWords = (seconds: number) => (seconds === 1 ? 'in a second' : `in ${seconds} seconds`);
