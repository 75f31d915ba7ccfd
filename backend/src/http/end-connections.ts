import type { FastifyInstance } from 'fastify';

/** How long requests under way may take once the server shuts down, in ms. */
const shutdownLimit = 10_000;

/**
 * Lets a shutdown end. While the server closes, each answer also ends its connection: a kept-alive one would hold
 * the process for another minute. A client that never finishes its request is cut off after ten seconds.
 */
export function endConnectionsOnShutdown(server: FastifyInstance): void {
  let isShuttingDown = false;
  server.addHook('preClose', (done) => {
    isShuttingDown = true;
    setTimeout(() => server.server.closeAllConnections(), shutdownLimit).unref();
    done();
  });
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (isShuttingDown) void reply.header('connection', 'close');
    done();
  });
}
