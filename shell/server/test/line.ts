import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line to a server that a test can cut, as a lost network does. */
export class Line {
  /** URL of the server through this line. */
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;
  readonly #sockets = new Set<Socket>();
  #state: 'open' | 'cut' | 'stalled' = 'open';
  #packets = Number.POSITIVE_INFINITY;

  private constructor(server: ReturnType<typeof createServer>, url: URL) {
    this.#server = server;
    this.url = Object.assign(new URL(url), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` }).href;
  }

  static async to(target: string): Promise<Line> {
    const url = new URL(target);
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const line = new Line(server, url);
    server.on('connection', (from) => {
      line.#add(from);
      if (line.#state === 'cut') from.destroy();
      if (line.#state !== 'open') return;
      const to = connect(Number(url.port), url.hostname);
      line.#add(to);
      from.on('close', () => to.destroy());
      to.on('close', () => from.destroy());
      from.on('data', () => line.#countPacket());
      from.pipe(to).pipe(from);
    });
    return line;
  }

  #add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
  }

  /** Cuts the line when so many more packets have been sent. */
  cutAfter(packets: number): void {
    this.#packets = packets;
  }

  #countPacket(): void {
    this.#packets -= 1;
    if (this.#packets === 0) this.cut();
  }

  /** Ends all connections; later ones are refused. */
  cut(): void {
    this.#state = 'cut';
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Nothing arrives any more, and nothing is refused. */
  stall(): void {
    this.#state = 'stalled';
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  mend(): void {
    this.cut();
    this.#packets = Number.POSITIVE_INFINITY;
    this.#state = 'open';
  }

  close(): void {
    this.#server.close();
    this.cut();
  }
}
