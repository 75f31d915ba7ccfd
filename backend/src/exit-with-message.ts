import { types } from 'node:util';
import { EnvironmentError } from '@daybook/server';
import { isDatabaseUnavailable } from './database/index.ts';

/** SQLSTATE of a refused login and of a database that does not exist: reachable, but DATABASE_URL is wrong. */
const refusedLogin = new Set(['28000', '28P01', '3D000']);

/** SQLSTATE of a table or column that is not there: this version's migrations were not run. */
const missingSchema = new Set(['42P01', '42703']);

/**
 * Ends the process with exit code 1 and, on standard error, one line for what the operator can put right; anything
 * else is shown with its stack.
 */
export function exitWithMessage(error: unknown): never {
  console.error(messageOf(error));
  process.exit(1);
}

/** One line for what the operator can put right; anything else with its stack. */
export function messageOf(error: unknown): string {
  if (error instanceof EnvironmentError) return error.message;
  if (!types.isNativeError(error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  if (isDatabaseUnavailable(error) || refusedLogin.has(code)) {
    return `The database at DATABASE_URL cannot be reached: ${error.message || code}. Is it running, and is the address right?`;
  }
  if (missingSchema.has(code)) {
    return `The database at DATABASE_URL is not of this version: ${error.message}. Run its migrations: node backend/dist/migrate.js, or npm start.`;
  }
  if (code === 'EADDRINUSE') return `${error.message}. Set PORT to a free port.`;
  return error.stack ?? error.message;
}
