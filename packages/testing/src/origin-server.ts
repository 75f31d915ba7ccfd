import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { releaseFileName } from '@daybook/contract/release';
import type { ReleaseVariant } from './releases.ts';

/** Responds to the request of a file in a way of its own. */
export type Respond = (response: ServerResponse) => unknown;

/** What an origin has, by the names of its files. */
export type Served = ReadonlyMap<string, Buffer | string | Respond>;

/** Returns what the origin of a release has. */
export const servedOf = ({ release, files }: ReleaseVariant): Served =>
  new Map<string, Buffer | string | Respond>([...files, [releaseFileName, JSON.stringify(release)]]);

/** An origin over HTTP that has what a test sets. */
export class OriginServer {
  served: Served = new Map();
  /** The requested files; a test may empty it. */
  requested: string[] = [];
  #server: Server | undefined;
  #port = 0;

  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts at the address of the last start, if there was one. */
  async start(): Promise<void> {
    const server = createServer(({ url = '', headers }, response) => {
      const file = decodeURI(url).slice(1);
      this.requested.push(file);
      const content = this.served.get(file);
      if (typeof content === 'function') return content(response);
      if (content === undefined) return response.writeHead(404).end('not found');
      const etag = `"${hash('sha256', content)}"`;
      if (headers['if-none-match'] === etag) return response.writeHead(304).end();
      return response.writeHead(200, { ETag: etag, 'Content-Length': Buffer.byteLength(content) }).end(content);
    });
    await once(server.listen(this.#port, '127.0.0.1'), 'listening');
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Stops and closes all connections. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    this.#server?.closeAllConnections();
    await closed;
  }
}
