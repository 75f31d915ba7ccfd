import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Listens for a moment; returns the port. */
async function tryPort(port: number, host: string): Promise<number> {
  const server = createServer();
  server.listen({ port, host });
  await once(server, 'listening');
  const found = (server.address() as AddressInfo).port;
  server.close();
  await once(server, 'close');
  return found;
}

/** Whether a port can be listened on, at both addresses that browsers try for `localhost`. */
export async function isPortFree(port: number): Promise<boolean> {
  const codes = await Promise.all(
    ['127.0.0.1', '::1'].map((host) => tryPort(port, host).catch(({ code }: NodeJS.ErrnoException) => code)),
  );
  // A machine without IPv6 has no such address, so nobody can have the port there.
  return codes.every((code) => code === port || code === 'EADDRNOTAVAIL');
}

/** A port that nobody listens on at 127.0.0.1 now. */
export const findFreePort = (): Promise<number> => tryPort(0, '127.0.0.1');
