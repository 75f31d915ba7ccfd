import { createSocket } from 'node:dgram';
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
  const isTaken = (host: string) =>
    tryPort(port, host).then(
      () => false,
      ({ code }) => code === 'EADDRINUSE' || code === 'EACCES',
    );
  return !(await Promise.all(['127.0.0.1', '::1'].map(isTaken))).includes(true);
}

/** Returns a free port of 127.0.0.1. While this process runs, a UDP socket keeps others from finding the same one. */
export async function findFreePort(): Promise<number> {
  const port = await tryPort(0, '127.0.0.1');
  const reservation = createSocket('udp4').unref().bind(port, '127.0.0.1');
  const isReserved = await once(reservation, 'listening').catch(() => undefined);
  return isReserved ? port : findFreePort();
}
