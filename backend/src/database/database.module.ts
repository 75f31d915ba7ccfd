import { databaseStateOf, readSecretFiles } from '@daybook/server';
import { type DynamicModule, Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import pg from 'pg';
import { type AfterQueryEvent, type DataSourceOptions, type EntitySubscriberInterface, EventSubscriber } from 'typeorm';
import type { Environment } from '../environment.ts';
import { ConnectionPool } from './connection-pool.ts';
import { databaseOptions } from './database-options.ts';

const logger = new Logger('Database');

const poolOf = (environment: Environment) =>
  new ConnectionPool({
    connectionString: environment.DATABASE_URL,
    application_name: 'daybook-backend',
    max: environment.DATABASE_POOL_SIZE,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 4_000,
    query_timeout: 5_000,
    // Replaces connections that died without being closed.
    maxLifetimeSeconds: 60,
    // Reopening connections would lose their prepared statements.
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

/**
 * Ends a connection whose statement got no response in time, since it still runs. TypeORM would return the connection as
 * if it were idle; after an error of `pool.query`, the pool ends it.
 */
@EventSubscriber()
class UnansweredStatementSubscriber implements EntitySubscriberInterface {
  async afterQuery({ error, queryRunner }: AfterQueryEvent): Promise<void> {
    if (error?.message !== 'Query read timeout') return;
    const connection: pg.Client = await queryRunner.connect();
    void connection.end();
  }
}

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
      // The pool waits for a restart; after that, the process manager restarts the backend.
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
