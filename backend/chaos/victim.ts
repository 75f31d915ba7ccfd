import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningPostgres } from '@daybook/testing/postgres';
import { type Child, hasEnded, startServer } from '@daybook/testing/processes';

/** Something that is killed by SIGKILL, again and again. */
export interface Victim {
  readonly kind: 'backend' | 'database' | 'receiver';
  /** Starts it and waits until it works; it may have been killed before. */
  start(): Promise<void>;
  kill(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/** A Node program that is started until it responds on its port. */
function nodeVictim(kind: 'backend' | 'receiver', file: string, port: number, environment: Environment): Victim {
  let child: Child | undefined;
  return {
    kind,
    start: async () => {
      for (;;) {
        // A backend ends by itself where it starts while the database is away.
        if (!child || hasEnded(child))
          child = startServer([join(import.meta.dirname, file)], { ...environment, PORT: String(port) }, 'ignore');
        const signal = AbortSignal.timeout(2_000);
        const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal }).catch(() => undefined);
        await response?.body?.cancel();
        if (response) return;
        await delay(50);
      }
    },
    kill: async () => {
      child?.kill('SIGKILL');
      await child;
    },
  };
}

/** A backend as it was built. */
export const aBackend = (port: number, environment: Environment): Victim =>
  nodeVictim('backend', '../dist/main.js', port, { ...environment, HOST: '127.0.0.1' });

/** The receiver of webhooks. */
export const aReceiver = (port: number, environment: Environment): Victim =>
  nodeVictim('receiver', 'receiver.ts', port, environment);

/** A database that runs already. */
export const aDatabase = (postgres: RunningPostgres): Victim => ({
  kind: 'database',
  start: () => postgres.resume(),
  kill: () => postgres.kill(),
});
