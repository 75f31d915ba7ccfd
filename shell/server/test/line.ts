import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Line = Awaited<ReturnType<typeof openLine>>;

/** Opens a line to a server that a test can cut, as a lost network does. */
export async function openLine(target: string) {
  const url = new URL(target);
  const sockets = new Set<Socket>();
  let state: 'open' | 'cut' | 'stalled' = 'open';
  let packets = Number.POSITIVE_INFINITY;
  const add = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  /** Ends all connections; later ones are refused. */
  const cut = () => {
    state = 'cut';
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((from) => {
    add(from);
    if (state === 'cut') from.destroy();
    if (state !== 'open') return;
    const to = connect(Number(url.port), url.hostname);
    add(to);
    from.on('close', () => to.destroy());
    to.on('close', () => from.destroy());
    from.on('data', () => {
      packets -= 1;
      if (packets === 0) cut();
    });
    from.pipe(to).pipe(from);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** URL of the server through this line. */
    url: Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    cut,
    /** Cuts the line when so many more packets have been sent. */
    cutAfter: (count: number) => {
      packets = count;
    },
    /** Nothing arrives any more, and nothing is refused. */
    stall: () => {
      state = 'stalled';
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend: () => {
      cut();
      packets = Number.POSITIVE_INFINITY;
      state = 'open';
    },
    close: () => {
      server.close();
      cut();
    },
  };
}
