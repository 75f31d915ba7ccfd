import { type ErrorCode, ExpectedError } from '../errors.ts';

/** The key belongs to a request that says something else: what this one says would not be stored. */
export class IdempotencyKeyReusedError extends ExpectedError {
  override readonly name = 'IdempotencyKeyReusedError';
  readonly code: ErrorCode = 'IDEMPOTENCY_KEY_REUSED';

  constructor() {
    super('The idempotencyKey was used for another request before. Draw a new one for each request.');
  }
}
