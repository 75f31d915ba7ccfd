import { createShellServer } from './app.ts';
import { EnvironmentError, parseEnvironment } from './environment.ts';

/** Starts the shell server from the environment, and stops it, requests under way finished, on SIGTERM or SIGINT. */
async function main(): Promise<void> {
  const environment = parseEnvironment(process.env);
  const app = await createShellServer(environment);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      app.close().then(() => process.exit(0));
    });
  }
  await app.listen({ host: environment.host, port: environment.port });
}

function explain(error: unknown): string {
  if (error instanceof EnvironmentError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `Port ${process.env.PORT ?? 8080} is in use. Set PORT to a free one, or stop what listens there.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main().catch((error: unknown) => {
  console.error(explain(error));
  process.exit(1);
});
