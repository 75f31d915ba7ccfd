import { createApp } from './create-app.ts';
import { environmentSchema, readEnvironment } from './environment.ts';
import { exitWithMessage } from './exit-with-message.ts';

try {
  const environment = readEnvironment(environmentSchema, process.env);
  const app = await createApp(environment);
  // Requests under way are answered and the pool is closed before the process ends with code 0.
  app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
  await app.listen(environment.PORT, environment.HOST);
  console.info(`The backend listens on ${await app.getUrl()}.`);
  process.once('exit', () => console.info('The backend has stopped.'));
} catch (error) {
  exitWithMessage(error);
}
