import type { RemoteIndex } from '@daybook/contract/release';
import type { LiveSnapshot } from '@daybook/releases/server';
import type { Drain } from '@daybook/server';
import type { FastifyInstance } from 'fastify';
import type { Environment } from './environment.ts';

/**
 * Serves the liveness probe `/healthz` and the readiness probe `/readyz`, which does not depend on backends: pages
 * need none.
 */
export function registerHealth(
  app: FastifyInstance,
  drain: Drain,
  { VERSION: version, REVISION: revision }: Pick<Environment, 'VERSION' | 'REVISION'>,
  index: () => RemoteIndex,
  live: Pick<LiveSnapshot, 'problem' | 'isEmpty'>,
): void {
  app.get('/healthz', () => ({ status: 'ok' }));

  app.get('/readyz', (_request, reply) => {
    const now = index();
    // A new site is ready for its first releases: orchestrators let nobody reach a server that is not ready, also not those
    // who publish.
    const isWaiting = now.remotes.length === 0 && !live.isEmpty;
    const noRelease = isWaiting ? 'No release is here yet.' : undefined;
    const reason = drain.isDraining ? 'The server is about to stop.' : noRelease;
    return reply
      .code(reason ? 503 : 200)
      .header('Cache-Control', 'no-store')
      .send({
        status: reason ? 'not ready' : 'ready',
        reason,
        version,
        revision,
        remotesWithoutRelease: now.missing,
        // Not a reason: pages are served without it. Without its message, which names hosts.
        releaseRegistryUnavailableSince: live.problem?.since,
      });
  });
}
