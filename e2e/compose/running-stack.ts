import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import type { Stack } from '@daybook/testing/compose';
import { docker, start } from '@daybook/testing/compose';
import { stack } from './stack-of-run.ts';

/** Connects what comes in over standard input with the database. */
const connect = 'exec 3<>/dev/tcp/127.0.0.1/5432; cat <&3 & cat >&3; kill $!';

/** Lets tests reach the stack's database, which publishes no port: each connection is a program in its container. */
async function openTunnel({ program, folder }: Stack) {
  const server = createServer((socket: Socket) => {
    const child = start(program, ['exec', '-T', 'postgres', 'bash', '-c', connect], folder);
    socket.pipe(child.stdin);
    child.stdout.pipe(socket);
    // Whichever side ends first, the other one has nothing more to say.
    child.stdin.on('error', () => socket.destroy());
    socket.on('error', () => child.kill());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

/** The network that visitors on this machine come from, as the containers see it; stored as a /24. */
async function networkOfVisitors(): Promise<string> {
  const container = await stack.inspect('shell');
  const entry = Object.keys(container.NetworkSettings.Networks).find((name) => name.endsWith('_entry')) ?? '';
  const [{ IPAM }] = JSON.parse(await docker('network', 'inspect', entry));
  return `${String(IPAM.Config[0].Gateway).replace(/\d+$/, '0')}/24`;
}

/** Leads the tests to the stack that `npm run test:compose` has started. */
export default async function useRunningStack(): Promise<() => void> {
  const tunnel = await openTunnel(stack);
  const password = (await stack.exec('postgres', 'cat', '/run/secrets/postgres/postgres-password')).trim();
  process.env.DATABASE_URL = `postgres://daybook:${password}@127.0.0.1:${tunnel.port}/daybook`;
  process.env.VISITOR_NETWORK = await networkOfVisitors();
  return () => void tunnel.close();
}
