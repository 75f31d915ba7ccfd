import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { docker } from '@daybook/testing/compose';
import { findFreePort } from '@daybook/testing/ports';
import { root } from '@daybook/testing/workspaces';
import * as stack from './stack.ts';

const connect = 'exec 3<>/dev/tcp/127.0.0.1/5432; cat <&3 & cat >&3; kill $!';

/** Tunnels connections to the stack's database, which publishes no port: each is a process in its container. */
async function openTunnel() {
  const server = createServer((socket) => {
    const child = stack.startCompose('exec', '-T', 'postgres', 'bash', '-c', connect);
    const { stdin, stdout } = child.nodeChildProcess;
    if (stdin) socket.pipe(stdin).on('error', () => socket.destroy());
    stdout?.pipe(socket);
    // When either side closes, close the other.
    socket.on('error', () => child.kill());
    child.catch(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

/**
 * Builds the compose stack under a separate name and starts it for the duration of the run; tests find it through the
 * environment.
 *
 * @throws Error if an image can't be built, or a service is not healthy in time
 */
export default async function startStack(): Promise<() => Promise<void>> {
  stack.copySources();
  const port = String(await findFreePort());
  stack.changeSettings({
    COMPOSE_PROJECT_NAME: stack.project,
    PORT: port,
    VERSION: stack.version,
    EDGE_VERSION: stack.version,
    REVISION: 'abcdef0',
    POSTGRES_IMAGE: stack.postgresImage,
    ...stack.raisedLimits,
  });
  // A killed run leaves its containers, which start again with the engine.
  for (const each of [stack.project, stack.upgradedProject]) await stack.remove(each);
  const dockerfile = path.join(import.meta.dirname, 'postgres.Dockerfile');
  await docker('build', '--file', dockerfile, '--tag', stack.postgresImage, path.join(root, 'deploy/backup'));
  console.log('Building the images; minutes on a fresh machine …');
  await stack.compose('build', ...stack.parts);
  const begun = performance.now();
  await stack.up();
  console.log(`Everything is healthy after ${Math.round(performance.now() - begun)} ms.`);

  const tunnel = await openTunnel();
  const password = (await stack.exec('postgres', 'cat', '/run/secrets/postgres-password')).trim();
  process.env.SITE_URL = `http://localhost:${port}`;
  process.env.DATABASE_URL = `postgres://daybook:${password}@127.0.0.1:${tunnel.port}/daybook`;
  // The network of visitors on this machine, as the containers see it; stored as a /24.
  const format = '{{(index .IPAM.Config 0).Gateway}}';
  const gateway = await docker('network', 'inspect', '--format', format, `${stack.project}_entry`);
  process.env.VISITOR_NETWORK = `${gateway.replace(/\d+$/, '0')}/24`;
  return async () => {
    tunnel.close();
    await stack.remove();
    await stack.removeSecrets(stack.folder);
    rmSync(stack.folder, { recursive: true, force: true });
  };
}
