export { databaseConnection, databaseOptions } from './database-options.ts';
export { isDatabaseUnavailable } from './database-unavailable.ts';
export { jobQueue } from './job-queue.ts';
export { missingMigrations, runMigrations } from './run-migrations.ts';
