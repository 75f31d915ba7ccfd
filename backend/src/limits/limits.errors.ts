import type { ProofChallenge } from '@daybook/contract';
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

/** More sign up in all than usual; who shows some work is let through. */
export class ProofOfWorkRequiredError extends ExpectedError {
  override readonly name = 'ProofOfWorkRequiredError';
  readonly code: ErrorCode = 'PROOF_OF_WORK_REQUIRED';

  /** @param retryAfter seconds until one more is taken without work */
  constructor(
    override readonly retryAfter: number,
    override readonly proofOfWork: ProofChallenge,
  ) {
    super(`Very many people are signing up right now. Please try again ${inWords(retryAfter)}.`);
  }
}

const inWords = (seconds: number) => (seconds === 1 ? 'in a second' : `in ${seconds} seconds`);
