import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Delivery {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Returns the response to a delivery; `nth` counts deliveries with the same id, from 1. */
export type Script = (delivery: Delivery, nth: number) => Reply | Promise<Reply>;

export const accepts: Script = () => ({ status: 204 });

export interface TestReceiver {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** Deliveries of one event, in the order of arrival. */
  of(id: string): readonly Delivery[];
  /** Resolves when a client's connection has closed. */
  closed(): Promise<void>;
  /** Sets the responses from now on. */
  respondWith(script: Script): void;
  stop(): Promise<void>;
}

/** Starts a receiver in place of the operator's mail system. */
export async function startReceiver(): Promise<TestReceiver> {
  const deliveries: Delivery[] = [];
  const of = (id: string) => deliveries.filter((delivery) => delivery.id === id);
  let script = accepts;
  const closed = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const headers = request.headers as Record<string, string>;
    const delivery = { id: headers['webhook-id'] ?? '', headers, body: await text(request) };
    deliveries.push(delivery);
    const reply = await script(delivery, of(delivery.id).length);
    response.writeHead(reply.status, reply.headers).end(reply.body);
  });
  server.on('connection', (socket) => socket.once('close', () => closed.resolve()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    deliveries,
    of,
    closed: () => closed.promise,
    respondWith: (next) => {
      script = next;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
