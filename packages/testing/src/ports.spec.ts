import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { findFreePort, isPortFree } from './ports.ts';

async function listen(host: string, port = 0): Promise<Server> {
  const server = createServer();
  await once(server.listen({ host, port }), 'listening');
  return server;
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

describe('a port', () => {
  test.each(['127.0.0.1', '0.0.0.0', 'localhost'])('is in use while somebody listens on it at %s', async (host) => {
    const server = await listen(host);
    const port = portOf(server);
    expect(await isPortFree(port)).toBe(false);
    await close(server);
    expect(await isPortFree(port)).toBe(true);
  });

  test('that was found free can be listened on', async () => {
    const port = await findFreePort();
    expect(await isPortFree(port)).toBe(true);
    const server = await listen('127.0.0.1', port);
    expect(portOf(server)).toBe(port);
    await close(server);
  });
});
