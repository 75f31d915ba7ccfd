import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** How long requests under way may take once a server closes, in ms; then their connections are cut. */
const closingTimeout = 10_000;

/**
 * Whether a server is about to stop. From then on each response also ends its connection, so that no client sends the
 * next request to a server that is gone, and no kept-alive connection holds the process.
 */
export class Drain {
  isDraining = false;

  begin(): void {
    this.isDraining = true;
  }

  /** Registers the hooks of a server, for all routes that are added later; its close ends in ten seconds at most. */
  follow(app: FastifyInstance): void {
    app.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.isDraining) reply.header('Connection', 'close');
      done();
    });
    app.addHook('onResponse', ({ raw }, _reply, done) => {
      // A response that had begun before could not announce that it is the last one.
      if (this.isDraining) raw.socket.destroySoon();
      done();
    });
    app.addHook('preClose', (done) => {
      this.begin();
      setTimeout(() => app.server.closeAllConnections(), closingTimeout).unref();
      done();
    });
  }
}

export interface StopOptions {
  readonly drain: Drain;
  /** Seconds for which the server is not ready, and serves requests as before. */
  readonly grace: number;
  /** Finishes what is under way, and frees everything. */
  readonly close: () => Promise<unknown>;
  readonly report: (line: string) => void;
}

/**
 * Stops the process with code 0 on SIGTERM or SIGINT: first it is not ready any more, after the grace it takes no
 * new connections, then requests under way are finished. The same signal once more ends it at once; another one does
 * not, since Ctrl-C in a terminal reaches a server twice, from the terminal and as SIGTERM from `npm start`.
 */
export function stopOnSignals({ drain, grace, close, report }: StopOptions): void {
  const received = new Set<NodeJS.Signals>();
  const stop = async (signal: NodeJS.Signals) => {
    if (received.has(signal)) process.exit(128 + constants.signals[signal]);
    const isFirst = received.size === 0;
    received.add(signal);
    if (!isFirst) return;
    drain.begin();
    if (grace > 0) {
      report(`Draining for ${grace} s.`);
      await delay(grace * 1000);
    }
    await close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stop(signal).catch((error: unknown) => {
        report(`Could not stop in order: ${String(error)}`);
        process.exit(1);
      });
    });
  }
}
