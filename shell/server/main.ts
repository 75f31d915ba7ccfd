import { Drain, stopOnSignals } from '@daybook/server';
import { createShellServer } from './app.ts';
import { EnvironmentError, parseEnvironment } from './environment.ts';

/** Starts the shell server from the environment. SIGTERM and SIGINT shut it down gracefully. */
async function main(shellFolder?: string): Promise<void> {
  const environment = parseEnvironment(process.env);
  const drain = new Drain();
  const app = await createShellServer(environment, { drain, shellFolder });
  stopOnSignals({
    drain,
    grace: environment.DRAIN_SECONDS,
    close: () => app.close(),
    report: (line) => app.log.info(line),
  });
  await app.listen({
    host: environment.HOST,
    port: environment.PORT,
    listenTextResolver: (url) => `The shell server listens on ${url}.`,
  });
}

function explain(error: unknown): string {
  if (error instanceof EnvironmentError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `Port ${process.env.PORT ?? 8080} is in use. Set PORT to a free one, or stop what listens there.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main(process.argv[2]).catch((error: unknown) => {
  console.error(explain(error));
  process.exit(1);
});
