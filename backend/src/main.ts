import { Drain, stopOnSignals } from '@daybook/contract/server';
import { createApp } from './create-app.ts';
import { environmentSchema, readEnvironment } from './environment.ts';
import { exitWithMessage } from './exit-with-message.ts';

try {
  const environment = readEnvironment(environmentSchema, process.env);
  const drain = new Drain();
  const app = await createApp(environment, drain);
  const close = () => app.close();
  stopOnSignals({ drain, grace: environment.DRAIN_SECONDS, close, report: console.info });
  await app.listen(environment.PORT, environment.HOST);
  console.info(`The backend listens on ${await app.getUrl()}.`);
  process.once('exit', () => console.info('The backend has stopped.'));
} catch (error) {
  exitWithMessage(error);
}
