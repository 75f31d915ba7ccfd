import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningPostgres } from '@daybook/testing/postgres';
import { type Child, hasEnded, startNode } from '@daybook/testing/processes';

/** A process that is repeatedly killed with SIGKILL. */
export interface Victim {
  readonly kind: 'backend' | 'database' | 'receiver';
  /** Starts or restarts it, and waits until it works. */
  start(): Promise<void>;
  kill(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/** A Node program, restarted until it responds on its port. */
function nodeVictim(kind: 'backend' | 'receiver', file: string, port: number, environment: Environment): Victim {
  let child: Child | undefined;
  return {
    kind,
    start: async () => {
      for (;;) {
        // A backend exits if it starts while the database is down.
        if (!child || hasEnded(child))
          child = startNode([join(import.meta.dirname, file)], {
            environment: { ...environment, PORT: String(port) },
            output: 'ignore',
          });
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

/** A built backend. */
export const aBackend = (port: number, environment: Environment): Victim =>
  nodeVictim('backend', '../build/main.js', port, { ...environment, HOST: '127.0.0.1' });

/** The receiver of webhooks. */
export const aReceiver = (port: number, environment: Environment): Victim =>
  nodeVictim('receiver', 'receiver.ts', port, environment);

/** A running database. */
export const aDatabase = (postgres: RunningPostgres): Victim => ({
  kind: 'database',
  start: () => postgres.resume(),
  kill: () => postgres.kill(),
});
