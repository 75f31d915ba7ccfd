import { hash } from 'node:crypto';
import { type DynamicModule, Logger } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import type { DatabaseEnvironment, Environment } from '../environment.ts';
import { migrations } from './migrations/index.ts';

/** How long a request waits for a connection before it is told that the database is unavailable, in ms. */
const connectionTimeout = 3_000;
/** How long one statement may take, in ms; a database that hangs must not hang every request with it. */
const statementTimeout = 4_000;
/** How long to wait for the response to a statement, in ms: first the server has the chance to give up by itself. */
const queryTimeout = 5_000;
/** After how long a connection is replaced, in s: one that died without a word is never stuck in the pool for long. */
const connectionLifetime = 60;

const logger = new Logger('Database');

/** Connection options that server, migrator and operator share. The schema comes from migrations, never from the entities. */
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
    connectTimeoutMS: connectionTimeout,
    // A connection lost while idle is replaced by the pool; without a handler it would end the process.
    poolErrorHandler: (error: Error) => logger.warn(`A connection to the database was lost: ${error.message}`),
  } as const satisfies DataSourceOptions;
}

/** What is changed of a client here; pg's types have a signature for each way to call it. */
const Client = pg.Client as unknown as new (
  options: pg.ClientConfig,
) => { query(statement: unknown, values?: unknown, done?: unknown): unknown };

/**
 * Prepares every statement with values: PostgreSQL parses each text once a connection, and soon plans it no more, which
 * saves a third of its CPU time (docs/performance/api.md). TypeORM has no option for that.
 */
class PreparingClient extends Client {
  override query(statement: unknown, values?: unknown, done?: unknown): unknown {
    if (typeof statement !== 'string' || !Array.isArray(values) || values.length === 0)
      return super.query(statement, values, done);
    return super.query({ name: hash('sha256', statement, 'base64url'), text: statement, values }, undefined, done);
  }
}

/** The module with the server's connection pool. Features bring their entities with `TypeOrmModule.forFeature`. */
export function databaseConnection(environment: Environment): DynamicModule {
  return TypeOrmModule.forRoot({
    ...databaseOptions(environment),
    poolSize: environment.DATABASE_POOL_SIZE,
    extra: {
      statement_timeout: statementTimeout,
      query_timeout: queryTimeout,
      maxLifetimeSeconds: connectionLifetime,
      // A connection with prepared statements is not given up for a quiet moment.
      idleTimeoutMillis: 0,
      Client: PreparingClient,
    },
    autoLoadEntities: true,
    // Whoever started us tries again; waiting here would only hide what is wrong.
    toRetry: () => false,
  });
}
