import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Delivery {
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
type Script = (delivery: Delivery, nth: number) => Reply | Promise<Reply>;

export const accepts: Script = () => ({ status: 204 });

/** A receiver in place of the operator's mail system; `respond` sets its responses. */
export class TestReceiver {
  url = '';
  respond = accepts;
  readonly deliveries: Delivery[] = [];
  private readonly server = createServer(async (request, response) => {
    const headers = request.headers as Record<string, string>;
    const delivery = { id: headers['webhook-id'] ?? '', headers, body: await text(request) };
    this.deliveries.push(delivery);
    const reply = await this.respond(delivery, this.of(delivery.id).length);
    response.writeHead(reply.status, reply.headers).end(reply.body);
  });

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/events`;
    return this;
  }

  /** Returns the deliveries of one event, in the order of arrival. */
  of = (id: string) => this.deliveries.filter((delivery) => delivery.id === id);

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}
