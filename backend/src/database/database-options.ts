import { Logger } from '@nestjs/common';
import type { DataSourceOptions } from 'typeorm';
import type { DatabaseEnvironment } from '../environment.ts';
import { migrations } from './migrations/index.ts';
import { PreparingClient } from './preparing-client.ts';

/** How long a request waits for a connection before it is told that the database is unavailable, in ms. */
const connectionLimit = 3_000;
/** How long one statement may take, in ms; a database that hangs must not hang every request with it. */
const statementLimit = 4_000;
/** How long to wait for the answer to a statement, in ms: first the server has the chance to give up by itself. */
const answerLimit = 5_000;
/** After how long a connection is replaced, in s: one that died without a word is never stuck in the pool for long. */
const connectionLifetime = 60;

const logger = new Logger('Database');

/** Connection options that server and migrator share. The schema comes from migrations, never from the entities. */
export function databaseOptions(environment: DatabaseEnvironment) {
  return {
    type: 'postgres',
    url: environment.DATABASE_URL,
    applicationName: 'daybook-backend',
    migrations,
    synchronize: false,
    installExtensions: false,
    // Ids stay below 2^53, so that numbers hold them exactly.
    parseInt8: true,
    connectTimeoutMS: connectionLimit,
    // A connection lost while idle is replaced by the pool; without a handler it would end the process.
    poolErrorHandler: (error: Error) => logger.warn(`A connection to the database was lost: ${error.message}`),
  } as const satisfies DataSourceOptions;
}

/** The server's options on top: a bounded pool, and bounds on every statement. */
export function serverDatabaseOptions(environment: DatabaseEnvironment & { readonly DATABASE_POOL_SIZE: number }) {
  return {
    ...databaseOptions(environment),
    poolSize: environment.DATABASE_POOL_SIZE,
    extra: {
      statement_timeout: statementLimit,
      query_timeout: answerLimit,
      maxLifetimeSeconds: connectionLifetime,
      // A connection that knows its statements is not given up for a quiet moment.
      idleTimeoutMillis: 0,
      Client: PreparingClient,
    },
  } as const satisfies DataSourceOptions;
}
