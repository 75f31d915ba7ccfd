import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { releaseFileName } from '@daybook/contract';
import type { ReleaseVariant } from '@daybook/testing/releases';

/** Answers a request for a file in its own way; `undefined` leaves it to the origin. */
export type Fault = (file: string, answer: ServerResponse, content: Buffer | undefined) => 'answered' | undefined;

/** A remote's own server, which can be made to fail in every way. */
export class FaultyOrigin {
  #offered: ReleaseVariant;
  #fault: Fault | undefined;
  #server: Server | undefined;
  #port = 0;
  readonly #sockets = new Set<Socket>();
  /** How often each file was asked for. */
  readonly requests = new Map<string, number>();

  constructor(offered: ReleaseVariant) {
    this.#offered = offered;
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Offers a release from now on, with a fault where one is given. */
  offer(release: ReleaseVariant, fault?: Fault): void {
    this.#offered = release;
    this.#fault = fault;
    this.requests.clear();
  }

  async start(): Promise<void> {
    const server = createServer((request, answer) => this.#answer(request, answer));
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Goes down, with all connections; its address stays the same for the next start. */
  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  #answer(request: IncomingMessage, answer: ServerResponse): void {
    const file = decodeURI(request.url ?? '').slice(1);
    this.requests.set(file, (this.requests.get(file) ?? 0) + 1);
    const { release, files } = this.#offered;
    const content = file === releaseFileName ? Buffer.from(JSON.stringify(release)) : files.get(file);
    if (this.#fault?.(file, answer, content)) return;
    if (!content) answer.writeHead(404).end('not found');
    else answer.writeHead(200, { 'Content-Length': content.length }).end(content);
  }
}

/** Faults of one file; of `release.json` where none is named. */
export const faults = {
  status:
    (status: number, of = releaseFileName): Fault =>
    (file, answer) => {
      if (file !== of) return undefined;
      answer.writeHead(status).end('chaos');
      return 'answered';
    },
  html: (): Fault => (file, answer) => {
    if (file !== releaseFileName) return undefined;
    answer.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Parked</title>');
    return 'answered';
  },
  cutOff: (): Fault => (file, answer, content) => {
    if (file !== releaseFileName || !content) return undefined;
    answer
      .writeHead(200, { 'Content-Length': content.length })
      .write(content.subarray(0, content.length / 2), () => answer.destroy());
    return 'answered';
  },
  hang: (): Fault => (file) => (file === releaseFileName ? 'answered' : undefined),
  tamper:
    (of: string): Fault =>
    (file, answer, content) => {
      if (file !== of || !content) return undefined;
      const changed = Buffer.from(content);
      changed.writeUInt8((changed.readUInt8(0) + 1) % 256);
      answer.writeHead(200, { 'Content-Length': changed.length }).end(changed);
      return 'answered';
    },
  grow:
    (of: string): Fault =>
    (file, answer, content) => {
      if (file !== of || !content) return undefined;
      const more = Buffer.concat([content, Buffer.alloc(1_000_000, 32)]);
      answer.writeHead(200, { 'Content-Length': more.length }).end(more);
      return 'answered';
    },
} as const;
