import type { Registry } from '@daybook/contract';
import type { Drain } from '@daybook/server';
import type { FastifyInstance } from 'fastify';
import type { Backends } from './api/backends.ts';

export interface HealthOptions {
  readonly drain: Drain;
  readonly backends: Backends;
  readonly registry: () => Registry;
}

/**
 * Serves `/healthz`, whether this process is alive, and `/readyz`, whether requests should be sent to it. A backend
 * that is not ready is told, but does not take this server out: all of them have the same backends, so all would go at
 * once, and with them every page, which needs no backend.
 */
export function registerHealth(app: FastifyInstance, { drain, backends, registry }: HealthOptions): void {
  const problemOf = ({ remotes }: Registry): string | undefined => {
    if (drain.isDraining) return 'The server is about to stop.';
    return remotes.length === 0 ? 'No release of any remote is there.' : undefined;
  };

  app.get('/healthz', () => ({ status: 'ok' }));

  app.get('/readyz', (_request, reply) => {
    const now = registry();
    const reason = problemOf(now);
    const states = backends.states();
    return reply
      .code(reason === undefined ? 200 : 503)
      .header('Cache-Control', 'no-store')
      .send({
        status: reason === undefined ? 'ready' : 'not ready',
        ...(reason === undefined ? {} : { reason }),
        remotesWithoutRelease: now.missing,
        backends: { ready: states.filter(({ isReady }) => isReady).length, of: states.length },
      });
  });
}
