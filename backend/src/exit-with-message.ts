import { types } from 'node:util';
import { isDatabaseUnavailable } from './database/index.ts';
import { InvalidEnvironmentError } from './environment.ts';

/** SQLSTATE of a refused login and of a database that does not exist: reachable, but DATABASE_URL is wrong. */
const refusedLogin = new Set(['28000', '28P01', '3D000']);

/**
 * Ends the process with exit code 1 and, on standard error, one line for what the operator can put right; anything
 * else is shown with its stack.
 */
export function exitWithMessage(error: unknown): never {
  console.error(describe(error));
  process.exit(1);
}

function describe(error: unknown): unknown {
  if (error instanceof InvalidEnvironmentError) return error.message;
  if (!types.isNativeError(error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (isDatabaseUnavailable(error) || refusedLogin.has(code)) {
    return `The database at DATABASE_URL cannot be reached: ${error.message || code}. Is it running, and is the address right?`;
  }
  if (code === 'EADDRINUSE') return `${error.message}. Set PORT to a free port.`;
  return error.stack;
}
