import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Binds a port briefly; returns its number. */
async function tryPort(port: number, host: string): Promise<number> {
  const server = createServer().listen({ port, host });
  await once(server, 'listening');
  const found = (server.address() as AddressInfo).port;
  await server[Symbol.asyncDispose]();
  return found;
}

/** Returns whether a port is free on both addresses that browsers try for `localhost`. */
export async function isPortFree(port: number): Promise<boolean> {
  const codes = await Promise.all(
    ['127.0.0.1', '::1'].map((host) => tryPort(port, host).catch(({ code }: NodeJS.ErrnoException) => code)),
  );
  // A machine without IPv6 lacks that address, or the whole family: nothing can use the port there.
  return codes.every((code) => code === port || code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT');
}

/** Returns a port of 127.0.0.1 that is free now. */
export const findFreePort = (): Promise<number> => tryPort(0, '127.0.0.1');
