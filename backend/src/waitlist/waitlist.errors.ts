import { type ErrorCode, ExpectedError } from '../errors.ts';

/** No entry has this id. */
export class EntryNotFoundError extends ExpectedError {
  override readonly name = 'EntryNotFoundError';
  readonly code: ErrorCode = 'ENTRY_NOT_FOUND';

  constructor(id: number) {
    super(`No entry has the id ${id}. Sign up to get one.`);
  }
}

/** This browser has no entry of the address; it does not say whether anybody else has. */
export class EntryNotOfThisBrowserError extends ExpectedError {
  override readonly name = 'EntryNotOfThisBrowserError';
  readonly code: ErrorCode = 'ENTRY_NOT_FOUND';

  constructor() {
    super('This browser did not sign up with this address. Sign up to get an entry.');
  }
}
