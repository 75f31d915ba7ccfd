import { once } from 'node:events';
import { createServer } from 'node:net';

/** What `localhost` stands for: browsers try both. */
const loopback = ['127.0.0.1', '::1'] as const;

async function canListen(port: number, host: string): Promise<boolean> {
  const server = createServer();
  server.listen({ port, host });
  try {
    await once(server, 'listening');
  } catch (error) {
    // A machine without IPv6 has no such address, so nobody can have the port there.
    return (error as NodeJS.ErrnoException).code === 'EADDRNOTAVAIL';
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** Whether a port can be listened on, at every address that `localhost` stands for. */
export async function isPortFree(port: number): Promise<boolean> {
  for (const host of loopback) if (!(await canListen(port, host))) return false;
  return true;
}

/** A port that nobody listens on at 127.0.0.1 now. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return address.port;
}
