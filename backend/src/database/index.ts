export { databaseConnection } from './database-connection.ts';
export { databaseOptions } from './database-options.ts';
export { isDatabaseUnavailable } from './database-unavailable.ts';
export { jobQueue } from './job-queue.ts';
export { missingMigrations } from './missing-migrations.ts';
export { poolUse } from './pool-use.ts';
export { runMigrations } from './run-migrations.ts';
