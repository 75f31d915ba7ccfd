type StatusCode = 400 | 401 | 408 | 411 | 413 | 429;

/** Thrown for a request that is malformed, unauthorized, or over a limit, with the status of its response. */
export class RequestError extends Error {
  /** The field `error` of the API's responses: clients know it by this name. */
  override readonly name: string = 'AccessError';
  readonly statusCode: StatusCode;
  /** In seconds; only with 429. */
  readonly retryAfter: number | undefined;

  constructor(statusCode: StatusCode, message: string, retryAfter?: number) {
    super(message);
    this.statusCode = statusCode;
    this.retryAfter = retryAfter;
  }
}
