/** The command was not written as it has to be; nothing was done. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What was asked for could not be done; the message names the thing and says what to do. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
