import { Drain, readEnvironment, stopOnSignals } from '@daybook/server';
import { createApp } from './create-app.ts';
import { environmentSchema } from './environment.ts';
import { exitWithMessage } from './exit-with-message.ts';

try {
  const environment = readEnvironment(environmentSchema, process.env);
  const drain = new Drain();
  const app = await createApp(environment, drain);
  const { log } = app.getHttpAdapter().getInstance();
  const report = (line: string) => log.info(line);
  stopOnSignals({ drain, grace: environment.DRAIN_SECONDS, close: () => app.close(), report });
  await app.listen({
    port: environment.PORT,
    host: environment.HOST,
    listenTextResolver: (address) => `The backend listens on ${address}.`,
  });
  process.once('exit', () => report('The backend has stopped.'));
} catch (error) {
  exitWithMessage(error);
}
