import { types } from 'node:util';
import { QueryFailedError } from 'typeorm';

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/**
 * SQLSTATE: connection exceptions, insufficient resources, operator intervention (shutdown, crash, starting up,
 * statement timeout), and a server that only reads, as a replica does in the middle of a failover.
 */
const unavailableState = /^(?:08...|53...|57P..|57014|25006)$/;

/** What pg and its pool throw without any code. */
const connectionMessage =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed)/;

/** Whether an error means that the database cannot be reached or cannot work now, so that trying later may help. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof QueryFailedError) return isDatabaseUnavailable(error.driverError);
  if (!types.isNativeError(error)) return false;
  // A name with several addresses fails with the failure of each.
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isDatabaseUnavailable);
  const code = 'code' in error ? String(error.code) : '';
  return networkCodes.has(code) || unavailableState.test(code) || connectionMessage.test(error.message);
}
