import { databaseStateOf } from '@daybook/server';

/** Returns whether an error means that the database is unreachable or busy, so that a retry may help. */
export const isDatabaseUnavailable = (error: unknown): boolean => databaseStateOf(error)?.isTemporary ?? false;
