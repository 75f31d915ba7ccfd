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
 * statement timeout), and a read-only server, such as a replica during a failover.
 */
const unavailableState = /^(?:08...|53...|57P..|57014|25006)$/;

/** Errors that pg and its pool throw without a code. */
const connectionMessage =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed)/;

/** Returns whether an error means that the database is unreachable or busy, so that a retry may help. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof QueryFailedError) return isDatabaseUnavailable(error.driverError);
  if (!types.isNativeError(error)) return false;
  // A host name with several addresses fails with one error per address.
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isDatabaseUnavailable);
  const code = 'code' in error ? String(error.code) : '';
  return networkCodes.has(code) || unavailableState.test(code) || connectionMessage.test(error.message);
}
