import type { Registry } from '@daybook/contract/release';
import type { Drain } from '@daybook/server';
import type { FastifyInstance } from 'fastify';
import type { Backends } from './api/backends.ts';
import type { Environment } from './environment.ts';

/**
 * Serves the liveness probe `/healthz` and the readiness probe `/readyz`. Reports backends that are not ready without
 * failing the probe: all shell servers share the backends, so all would be taken out at once, and with them every page,
 * although pages need no backend.
 */
export function registerHealth(
  app: FastifyInstance,
  drain: Drain,
  backends: Backends,
  { VERSION: version, REVISION: revision }: Pick<Environment, 'VERSION' | 'REVISION'>,
  registry: () => Registry,
): void {
  const notReadyReason = ({ remotes }: Registry): string | undefined => {
    if (drain.isDraining) return 'The server is about to stop.';
    return remotes.length === 0 ? 'No remote has a release yet.' : undefined;
  };

  app.get('/healthz', () => ({ status: 'ok' }));

  app.get('/readyz', (_request, reply) => {
    const now = registry();
    const reason = notReadyReason(now);
    const states = backends.states();
    return reply
      .code(reason === undefined ? 200 : 503)
      .header('Cache-Control', 'no-store')
      .send({
        status: reason === undefined ? 'ready' : 'not ready',
        ...(reason === undefined ? {} : { reason }),
        version,
        revision,
        remotesWithoutRelease: now.missing,
        backends: { ready: states.filter(({ isReady }) => isReady).length, of: states.length },
      });
  });
}
