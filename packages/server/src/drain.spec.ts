import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { fastify } from 'fastify';
import { Drain } from './drain.ts';

test('a server serves the connections that wait when it closes', async () => {
  const app = fastify({ return503OnClosing: false });
  new Drain().follow(app);
  app.get('/', () => 'served');
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const responses = Array.from({ length: 8 }, () => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.end('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return text(socket).catch(String);
  });
  // From here on the kernel has the connections, and the server none of them.
  await new Promise((resolve) => process.nextTick(resolve));
  await app.close();
  expect(await Promise.all(responses)).toEqual(Array(8).fill(expect.stringMatching(/^HTTP\/1.1 200 .*served$/s)));
});
