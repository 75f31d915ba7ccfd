export { databaseConnection, databaseOptions, outageOf } from './database-options.ts';
export { isDatabaseUnavailable } from './database-unavailable.ts';
export { missingMigrations, runMigrations } from './run-migrations.ts';
export { mailboxKey, mailboxOf, sameAddress } from './same-address.ts';
