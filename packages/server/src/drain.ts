import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** How long requests under way may take once a server closes, in ms; then their connections are cut. */
const closingLimit = 10_000;

/** What of a Fastify server the end of its connections needs. */
interface ClosingServer {
  readonly server: { closeAllConnections(): void };
  addHook(
    name: 'onRequest',
    hook: (request: unknown, reply: { readonly raw: ServerResponse }, done: () => void) => void,
  ): unknown;
  addHook(name: 'preClose', hook: (done: () => void) => void): unknown;
}

/**
 * Whether a server is about to stop. From the first word of it each answer also ends its connection, so that nobody
 * sends the next request to a server that is gone, and no kept-alive connection holds the process.
 */
export class Drain {
  /** By connection: a response that waits behind another one is told nothing of the end of its connection. */
  readonly #underWay = new Map<Socket, Set<ServerResponse>>();
  #isDraining = false;

  get isDraining(): boolean {
    return this.#isDraining;
  }

  begin(): void {
    this.#isDraining = true;
    for (const responses of this.#underWay.values()) for (const response of responses) endConnectionAfter(response);
  }

  /** Follows all requests of a server, and lets its close end in ten seconds whatever its clients do. */
  follow(app: ClosingServer): void {
    app.addHook('onRequest', (_request, { raw }, done) => {
      this.#followResponse(raw);
      done();
    });
    app.addHook('preClose', (done) => {
      this.begin();
      setTimeout(() => app.server.closeAllConnections(), closingLimit).unref();
      done();
    });
  }

  /** Follows one request until its answer is written, or its connection is gone. */
  #followResponse(response: ServerResponse): void {
    const { socket } = response.req;
    if (response.closed || socket.destroyed) return;
    if (this.#isDraining) endConnectionAfter(response);
    const responses = this.#underWay.get(socket) ?? this.#followConnection(socket);
    responses.add(response);
    response.once('close', () => {
      responses.delete(response);
      // An answer that had begun before could not say that it is the last one.
      if (this.#isDraining) socket.destroySoon();
    });
  }

  #followConnection(socket: Socket): Set<ServerResponse> {
    const responses = new Set<ServerResponse>();
    this.#underWay.set(socket, responses);
    socket.once('close', () => this.#underWay.delete(socket));
    return responses;
  }
}

function endConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

export interface StopOptions {
  readonly drain: Drain;
  /** Seconds for which it is told that the server is about to stop, and requests are served as before. */
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
