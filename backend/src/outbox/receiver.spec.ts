import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Receiver } from './receiver.ts';

const event: Parameters<Receiver['attempt']>[0] = {
  id: '01890000-0000-7000-8000-000000000000',
  type: 'signup.created',
  createdAt: new Date(),
  data: {},
  attempts: 0,
};

let server: Server;
let receiver: Receiver;

beforeEach(async () => {
  server = createServer((_, response) => response.setHeader('Connection', 'close').end(Buffer.alloc(65_536)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  receiver = new Receiver(`http://127.0.0.1:${port}/`, [`whsec_${'A'.repeat(32)}`]);
});
afterEach(() => void server.close());

// An unread response body crashes the process when the connection closes: docs/decisions/2026-11-21-node-bugs.md.
test('an event counts as delivered when the receiver sends a large body and closes the connection', async () => {
  const closed = once(server, 'connection').then(([socket]: Socket[]) => socket && once(socket, 'close'));
  expect(await receiver.attempt(event)).toEqual({ status: 'delivered' });
  await closed;
  // Waits for the close to reach this side.
  for (let turn = 0; turn < 50; turn += 1) await nextTurn();
});
