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

/** A Node program that is started again, by whoever runs it, until it answers at an address. */
function nodeVictim(
  kind: 'backend' | 'receiver',
  file: string,
  environment: Readonly<Record<string, string>>,
  address: string,
): Victim {
  let child: Child | undefined;
  return {
    kind,
    start: async () => {
      for (;;) {
        // A backend ends by itself where it starts while the database is away.
        if (!child || hasEnded(child)) child = startServer([file], environment, 'ignore');
        const answer = await fetch(address, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
        await answer?.body?.cancel();
        if (answer) return;
        await delay(50);
      }
    },
    kill: async () => {
      if (!child || hasEnded(child)) return;
      child.kill('SIGKILL');
      await child;
    },
  };
}

/** A backend as it was built, on a port. */
export function aBackend(port: number, environment: Readonly<Record<string, string>>): Victim {
  const main = join(import.meta.dirname, '../dist/main.js');
  return nodeVictim(
    'backend',
    main,
    { ...environment, PORT: String(port), HOST: '127.0.0.1' },
    `http://127.0.0.1:${port}/healthz`,
  );
}

/** The receiver of webhooks, on a port. */
export function aReceiver(port: number, environment: Readonly<Record<string, string>>): Victim {
  const file = join(import.meta.dirname, 'receiver.ts');
  return nodeVictim('receiver', file, { ...environment, PORT: String(port) }, `http://127.0.0.1:${port}/`);
}

/** A database that runs already. */
export function aDatabase(postgres: RunningPostgres): Victim {
  return { kind: 'database', start: () => postgres.resume(), kill: () => postgres.kill() };
}
