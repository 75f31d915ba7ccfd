import { types } from 'node:util';
import { databaseStateOf, EnvironmentError } from '@daybook/server';

/** SQLSTATE; also raised by the migrations, with a message that says what to do. */
const missingPrivilege = '42501';

export function exitWithMessage(error: unknown): never {
  console.error(messageOf(error));
  process.exit(1);
}

export function messageOf(error: unknown): string {
  if (error instanceof EnvironmentError) return error.message;
  if (!types.isNativeError(error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  if (code === missingPrivilege && !error.message.startsWith('permission denied'))
    return `The role in DATABASE_URL lacks a privilege: ${error.message}`;
  const database = databaseStateOf(error);
  if (database) return `The database at DATABASE_URL ${database.state}: ${error.message || code}. ${database.remedy}`;
  if (code === 'EADDRINUSE') return `${error.message}. Set PORT to a free port.`;
  return error.stack ?? error.message;
}
