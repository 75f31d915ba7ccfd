import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

async function tryPort(port: number, host: string): Promise<void> {
  const server = createServer().listen({ port, host });
  await once(server, 'listening');
  await server[Symbol.asyncDispose]();
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

/** Returns a free port of localhost. While this process runs, a UDP socket keeps others from finding the same one. */
export async function findFreePort(): Promise<number> {
  const reservation = createSocket('udp4').bind(0, '127.0.0.1').unref();
  await once(reservation, 'listening');
  const { port } = reservation.address();
  return (await isPortFree(port)) ? port : findFreePort();
}
