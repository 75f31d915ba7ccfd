import { readEnvironment } from '@daybook/server';
// Not from the index: Node runs this file from source, which has no decorators.
import { runMigrations } from './database/run-migrations.ts';
import { databaseEnvironmentSchema } from './environment.ts';
import { exitWithMessage } from './exit-with-message.ts';

try {
  const ran = await runMigrations(readEnvironment(databaseEnvironmentSchema, process.env));
  for (const name of ran) console.info(`Ran migration ${name}.`);
  if (ran.length === 0) console.info('The database is up to date; no migration had to run.');
} catch (error) {
  exitWithMessage(error);
}
