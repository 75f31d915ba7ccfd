export { ConnectionPool } from './connection-pool.ts';
export { DatabaseModule } from './database.module.ts';
export { databaseOptions } from './database-options.ts';
export { missingMigrations, runMigrations } from './run-migrations.ts';
export { mailboxKey, mailboxOf, sameEmail } from './same-email.ts';
