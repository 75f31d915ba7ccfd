import { ExpectedError } from '../errors.ts';

/** No entry has this id. */
export class EntryNotFoundError extends ExpectedError {
  constructor(id: number) {
    super('ENTRY_NOT_FOUND', `No entry has the id ${id}. Sign up to get one.`);
  }
}

/** This browser has no entry of the address. Does not reveal whether other browsers have one. */
export class EntryNotOfThisBrowserError extends ExpectedError {
  constructor() {
    super('ENTRY_NOT_FOUND', 'This browser did not sign up with this address. Sign up to get an entry.');
  }
}
