import { types } from 'node:util';
import { EnvironmentError } from '@daybook/server';
import { isDatabaseUnavailable } from './database/index.ts';

/** SQLSTATE of a rejected login, and of a database that does not exist. */
const rejectedLogin = new Set(['28000', '28P01', '3D000']);

/** SQLSTATE class of insufficient resources: disk, memory, connections. */
const insufficientResources = /^53/;

/** SQLSTATE of a missing privilege; also raised by statements of our own, with a message that says what to do. */
const missingPrivilege = '42501';

/** SQLSTATE of a missing table or column: this version's migrations were not run. */
const missingSchema = new Set(['42P01', '42703']);

/**
 * Exits with code 1 and prints one line on standard error for errors that the operator can fix, or the stack for
 * anything else.
 */
export function exitWithMessage(error: unknown): never {
  console.error(messageOf(error));
  process.exit(1);
}

/** Returns one line for errors that the operator can fix, the stack for anything else. */
export function messageOf(error: unknown): string {
  if (error instanceof EnvironmentError) return error.message;
  if (!types.isNativeError(error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  if (rejectedLogin.has(code)) {
    return `The database at DATABASE_URL rejects the login: ${error.message}. Check user, password and database in it; in the compose stack, after a change of postgres-password: docker compose run --rm roles.`;
  }
  if (insufficientResources.test(code)) {
    return `The database at DATABASE_URL is out of resources: ${error.message}. Free some, or try again later; of connections, each backend takes DATABASE_POOL_SIZE.`;
  }
  if (code === missingPrivilege && error.message.startsWith('permission denied')) {
    return `The role in DATABASE_URL lacks a privilege: ${error.message}. Its grants are in docs/operations.md#settings-and-secrets; in the compose stack: docker compose run --rm roles.`;
  }
  if (isDatabaseUnavailable(error)) {
    return `The database at DATABASE_URL cannot be reached: ${error.message || code}. Is it running, and is the address right?`;
  }
  if (missingSchema.has(code)) {
    return `The database at DATABASE_URL has another schema version: ${error.message}. Run the migrations: node backend/build/migrate.js, or npm start.`;
  }
  if (code === missingPrivilege) return `The role in DATABASE_URL lacks a privilege: ${error.message}`;
  if (code === 'EADDRINUSE') return `${error.message}. Set PORT to a free port.`;
  return error.stack ?? error.message;
}
