import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import { databaseStateOf } from '@daybook/server';
import { type DynamicModule, Logger } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import pg from 'pg';
import type { DataSource, DataSourceOptions } from 'typeorm';
import type { DatabaseEnvironment, Environment } from '../environment.ts';
import * as migrations from './migrations/index.ts';
import { type PoolOptions, RetryingPool } from './retrying-pool.ts';

/** Timeout for a free connection of the pool, and for making one, in ms. */
const connectionTimeout = 3_000;
/** PostgreSQL's statement timeout, in ms: a hanging database must not make every request hang. */
const statementTimeout = 4_000;
/** The client's timeout for a statement, in ms. Longer than `statementTimeout`, so that PostgreSQL cancels first. */
const queryTimeout = 5_000;
/** Max age of a connection, in s: replaces connections that died without being closed. */
const connectionLifetime = 60;

const logger = new Logger('Database');

/** Shared connection options. The schema comes from migrations, never from the entities. */
export function databaseOptions(environment: DatabaseEnvironment) {
  return {
    type: 'postgres',
    url: environment.DATABASE_URL,
    applicationName: 'daybook-backend',
    migrations,
    synchronize: false,
    installExtensions: false,
    // Ids stay below 2^53, so numbers represent them exactly.
    parseInt8: true,
    connectTimeoutMS: connectionTimeout,
    // The pool replaces a connection lost while idle; without a handler, the error would end the process.
    poolErrorHandler: ({ message }: Error) => logger.debug(`A connection to the database was lost: ${message}`),
  } as const satisfies DataSourceOptions;
}

/** pg's client, typed with the one method that is overridden: pg's types have an overload for each way to call it. */
const Client = pg.Client as unknown as new (
  options: pg.ClientConfig,
) => { query(statement: unknown, values?: unknown, done?: unknown): unknown; end(): Promise<void> };

/** TypeORM's driver. Required here and not imported, because tracing patches what is required. */
const driver = () => ({ ...(createRequire(import.meta.url)('pg') as typeof pg), Pool: RetryingPool });

/**
 * Prepares every statement with values: PostgreSQL parses each text once per connection and soon reuses a generic plan,
 * which saves a third of its CPU time (docs/performance.md). TypeORM has no option for this.
 */
class PreparingClient extends Client {
  private readonly prepares: boolean;

  constructor(options: PoolOptions) {
    super(options);
    this.prepares = options.prepares ?? true;
  }

  override query(statement: unknown, values?: unknown, done?: unknown): unknown {
    const hasValues = typeof statement === 'string' && Array.isArray(values) && values.length > 0;
    const result =
      this.prepares && hasValues
        ? super.query({ name: hash('sha256', statement, 'base64url'), text: statement, values }, undefined, done)
        : super.query(statement, values, done);
    if (result instanceof Promise) result.catch((error: Error) => this.endAfterTimeout(error));
    return result;
  }

  /** The statement still runs: the pool's next one would wait for it. */
  private endAfterTimeout({ message }: Error): void {
    if (message === 'Query read timeout') void this.end();
  }
}

/** Returns the module with the server's connection pool, which provides the `DataSource`. */
export function databaseConnection(
  environment: Environment,
  entities: NonNullable<DataSourceOptions['entities']>,
): DynamicModule {
  return TypeOrmModule.forRoot({
    ...databaseOptions(environment),
    entities,
    driver: driver(),
    poolSize: environment.DATABASE_POOL_SIZE,
    extra: {
      statement_timeout: statementTimeout,
      query_timeout: queryTimeout,
      maxLifetimeSeconds: connectionLifetime,
      // Never close idle connections: reopening them would lose their prepared statements.
      idleTimeoutMillis: 0,
      Client: PreparingClient,
      onOutage: (error) => {
        if (error) logger.error(`The database ${databaseStateOf(error)?.state}: ${error.message}`);
        else logger.log('The database accepts connections again.');
      },
      onPooler: ({ message }: Error) =>
        logger.warn(
          `A pooler is in front of the database: ${message}. Statements are neither prepared nor limited in time by the backend: docs/operations.md#a-pooler`,
        ),
    } satisfies PoolOptions,
    // The pool waits for a restart; after it, fail: the process manager restarts the backend, and retrying here would only
    // hide the error.
    toRetry: () => false,
  });
}

/** Returns why no connection can be made, since the last attempt. */
export const outageOf = ({ driver }: DataSource): Error | undefined =>
  (driver as unknown as { readonly master: RetryingPool }).master.error;
