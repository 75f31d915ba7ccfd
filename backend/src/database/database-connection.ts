import type { DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Environment } from '../environment.ts';
import { serverDatabaseOptions } from './database-options.ts';

/** The module that holds the connection pool. Features bring their entities with `TypeOrmModule.forFeature`. */
export function databaseConnection(environment: Environment): DynamicModule {
  return TypeOrmModule.forRoot({
    ...serverDatabaseOptions(environment),
    autoLoadEntities: true,
    // Whoever started us tries again; waiting here would only hide what is wrong.
    toRetry: () => false,
  });
}
