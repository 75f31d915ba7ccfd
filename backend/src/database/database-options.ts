import { Logger } from '@nestjs/common';
import type { DataSourceOptions } from 'typeorm';
import type { DatabaseEnvironment } from '../environment.ts';
import * as migrations from './migrations/index.ts';

const logger = new Logger('Database');

export const databaseOptions = (environment: DatabaseEnvironment) =>
  ({
    type: 'postgres',
    url: environment.DATABASE_URL,
    migrations,
    synchronize: false,
    installExtensions: false,
    // Ids stay below 2^53, so numbers represent them exactly.
    parseInt8: true,
    connectTimeoutMS: 3_000,
    poolErrorHandler: ({ message }: Error) => logger.debug(`A connection to the database was lost: ${message}`),
  }) as const satisfies DataSourceOptions;
