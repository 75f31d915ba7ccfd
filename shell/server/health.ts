import type { Drain } from '@daybook/server';
import type { FastifyInstance } from 'fastify';
import type { Environment } from './environment.ts';
import type { LiveSite } from './releases/live-site.ts';

export function registerHealth(
  app: FastifyInstance,
  drain: Drain,
  { VERSION: version, REVISION: revision }: Pick<Environment, 'VERSION' | 'REVISION'>,
  live: LiveSite,
): void {
  app.get('/healthz', () => ({ status: 'ok' }));

  app.get('/readyz', (_request, reply) => {
    const { remotes, missing } = live.site.index();
    // A new site is ready for its first releases: nobody reaches a server that is not ready.
    const isNew = live.hasRead && live.latest.remotes.every(({ state }) => !state?.active);
    const noRelease = remotes.length === 0 && !isNew ? 'No release is here yet.' : undefined;
    const reason = drain.isDraining ? 'The server is about to stop.' : noRelease;
    return reply
      .code(reason ? 503 : 200)
      .header('Cache-Control', 'no-store')
      .send({
        status: reason ? 'not ready' : 'ready',
        reason,
        version,
        revision,
        remotesWithoutRelease: missing,
        // Pages are served without it. Not with its message, which names hosts.
        releaseRegistryUnavailableSince: live.problem?.since,
      });
  });
}
