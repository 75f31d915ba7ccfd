import { databaseStateOf, readSecretFiles } from '@daybook/server';
import { type DynamicModule, Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import type { Environment } from '../environment.ts';
import { ConnectionPool } from './connection-pool.ts';
import { databaseOptions } from './database-options.ts';
import { UnansweredStatementSubscriber } from './unanswered-statement.subscriber.ts';

/** Timeout for a free connection of the pool, and for making one, in ms. */
const connectionTimeout = 3_000;
/** PostgreSQL's statement timeout, in ms: a hanging database must not make every request hang. */
const statementTimeout = 4_000;
/** The client's timeout for a statement, in ms. Longer than `statementTimeout`, so that PostgreSQL cancels first. */
const queryTimeout = 5_000;
/** Max age of a connection, in s: replaces connections that died without being closed. */
const connectionLifetime = 60;

const logger = new Logger('Database');

const poolOf = (environment: Environment) =>
  new ConnectionPool({
    connectionString: environment.DATABASE_URL,
    application_name: 'daybook-backend',
    max: environment.DATABASE_POOL_SIZE,
    connectionTimeoutMillis: connectionTimeout,
    statement_timeout: statementTimeout,
    query_timeout: queryTimeout,
    maxLifetimeSeconds: connectionLifetime,
    // Never close idle connections: reopening them would lose their prepared statements.
    idleTimeoutMillis: 0,
    onOutage: (error) => {
      if (error) logger.error(`The database ${databaseStateOf(error)?.state}: ${error.message}`);
      else logger.log('The database accepts connections again.');
    },
    onPooler: ({ message }) =>
      logger.warn(
        `A pooler is in front of the database: ${message}. Statements are neither prepared nor limited in time by the backend: docs/database.md#a-pooler`,
      ),
    readUrl: () => readSecretFiles(process.env, ['DATABASE_URL']).variables.DATABASE_URL,
  });

/** Provides the `DataSource`, and the pool of its connections. */
@Module({})
export class DatabaseModule {
  static forRoot(environment: Environment, entities: NonNullable<DataSourceOptions['entities']>): DynamicModule {
    const pool = poolOf(environment);
    const typeOrm = TypeOrmModule.forRoot({
      ...databaseOptions(environment),
      entities,
      subscribers: [UnansweredStatementSubscriber],
      // TypeORM makes its pool with `new`, which returns this one.
      driver: {
        ...pg,
        Pool: function Pool() {
          return pool;
        },
      },
      // The pool waits for a restart; after it, fail: the process manager restarts the backend, and retrying here would
      // only hide the error.
      toRetry: () => false,
    });
    return {
      module: DatabaseModule,
      global: true,
      imports: [typeOrm],
      providers: [{ provide: ConnectionPool, useValue: pool }],
      exports: [ConnectionPool],
    };
  }
}
