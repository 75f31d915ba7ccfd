import { ExpectedError } from '../errors.ts';

/** A rate limit is exceeded: for one network, for one address, or in total. */
export class TooManyRequestsError extends ExpectedError {
  /**
   * @param retryAfter seconds until one more is accepted
   * @param message for the visitor
   */
  constructor(
    retryAfter: number,
    message = `There were too many requests at once. Please try again in ${retryAfter === 1 ? 'a second' : `${retryAfter} seconds`}.`,
  ) {
    super('TOO_MANY_REQUESTS', message, retryAfter);
  }
}
