import type { Socket } from 'node:net';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Timeout in ms for requests in progress when a server closes; then their connections are cut. */
const closingTimeout = 10_000;

/** The same for connections that no byte came from: browsers open them ahead of need. */
const unusedTimeout = 1_000;

/** How many turns a closing server waits for connections. On a busy site new ones never end. */
const maxTurns = 1_000;

/** State of a server that is about to stop. From then on each response also closes its connection. */
export class Drain {
  isDraining = false;

  begin(): void {
    this.isDraining = true;
  }

  /** Registers a server's hooks for all routes that are added later; limits its close to ten seconds. */
  follow(app: FastifyInstance): void {
    const connections = new Set<Socket>();
    let accepted = 0;
    app.server.on('connection', (socket: Socket) => {
      accepted += 1;
      connections.add(socket);
      socket.once('close', () => connections.delete(socket));
    });
    app.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.isDraining) reply.header('Connection', 'close');
      done();
    });
    app.addHook('onResponse', ({ raw }, _reply, done) => {
      // The headers of a response in progress are already sent, so they cannot announce the close.
      if (this.isDraining) raw.socket.destroySoon();
      done();
    });
    app.addHook('preClose', (done) => {
      this.begin();
      const closeUnused = () => {
        for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
      };
      setTimeout(closeUnused, unusedTimeout).unref();
      setTimeout(() => app.server.closeAllConnections(), closingTimeout).unref();
      // Each turn of the event loop accepts one connection, and those that still wait when the port closes are reset.
      const untilNoneWaits = (turn: number, before?: number) => {
        if (accepted === before || turn === maxTurns) done();
        else setImmediate(untilNoneWaits, turn + 1, accepted);
      };
      setImmediate(untilNoneWaits, 1);
    });
  }
}

interface StopOptions {
  readonly drain: Drain;
  /** Seconds between failing readiness and closing, in which requests are still served. */
  readonly grace: number;
  readonly close: () => Promise<unknown>;
  readonly report: (line: string) => void;
}

/**
 * Graceful shutdown on SIGTERM or SIGINT. A second identical signal exits at once; the other one does not, because Ctrl-C
 * reaches a server twice, from the terminal and as SIGTERM from `npm start`.
 */
export function stopOnSignals({ drain, grace, close, report }: StopOptions): void {
  const stop = async () => {
    if (drain.isDraining) return;
    drain.begin();
    if (grace > 0) {
      report(`Draining for ${grace} s.`);
      await delay(grace * 1000);
    }
    await close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    let isSecond = false;
    process.on(signal, () => {
      if (isSecond) process.exit(128 + constants.signals[signal]);
      isSecond = true;
      stop().catch((error: unknown) => {
        report(`Graceful shutdown failed: ${String(error)}`);
        process.exit(1);
      });
    });
  }
}
