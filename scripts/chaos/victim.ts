import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Child, hasEnded, startNode } from '@daybook/runner/processes';

/** A process that is repeatedly killed with SIGKILL. */
export interface Victim {
  readonly kind: 'backend' | 'database' | 'receiver';
  /** Starts or restarts it, and waits until it works. */
  start(): Promise<void>;
  kill(): Promise<void>;
}

/** A Node program, named relative to this folder; restarted until it responds on its port. */
export function nodeVictim(
  kind: Victim['kind'],
  file: string,
  port: number,
  environment: Readonly<Record<string, string>>,
): Victim {
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
