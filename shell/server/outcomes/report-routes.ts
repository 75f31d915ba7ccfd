import { type PageReport, pageReportAddress, pageReportSchema } from '@daybook/contract/page';
import type { ServedReleases } from '@daybook/releases/server';
import { customerNetworkOf } from '@daybook/server';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { FifoMap } from 'toad-cache';
import { previewOf } from '../pages/visitor-registry.ts';
import type { ReleaseStats } from './release-stats.ts';

/** Max networks and failures counted within a minute, about 2 MB; beyond, the oldest is forgotten and may count twice. */
const maxCounted = 20_000;

/** Returns whether the report is plausible: the release is stored here and has the route. */
function isPossible({ remote, version, route }: PageReport, releases: Pick<ServedReleases, 'find'>): boolean {
  return releases.find(remote, version)?.release.routes.some(({ path }) => path === route) ?? false;
}

const text = (reply: FastifyReply, status: number, line: string) =>
  reply.code(status).type('text/plain').send(`${line}\n`);

/**
 * Accepts reports of failures from pages: `POST /_reports` with a `PageReport`; 204, or 400, 403, 413, 415. Nothing
 * about the visitor is stored.
 *
 * Counts one failure of a release per network and minute, of any kind; failed hydrations are counted separately. A
 * network is an IPv4 address or an IPv6 /48, so that no single customer of a provider can flood the counts.
 */
export function registerReports(
  server: FastifyInstance,
  {
    releases,
    stats,
  }: { releases: Pick<ServedReleases, 'find' | 'findPreview'>; stats: Pick<ReleaseStats, 'countFailure'> },
): void {
  const counted = new FifoMap<true>(maxCounted, 60_000);

  server.register(async (app) => {
    app.removeAllContentTypeParsers();
    // Pages send reports on unload as JSON or, in some browsers, as plain text.
    const types = ['application/json', 'text/plain'];
    app.addContentTypeParser(types, { parseAs: 'string' }, app.getDefaultJsonParser('error', 'error'));
    app.post(pageReportAddress, async (request, reply) => {
      const parsed = pageReportSchema.safeParse(request.body);
      if (!parsed.success || !isPossible(parsed.data, releases))
        return text(reply, 400, 'The report is not about a route of a release that is stored here.');
      const { remote, version, kind } = parsed.data;
      const key = `${customerNetworkOf(request.ip)} ${remote}@${version} ${kind === 'hydration' ? kind : 'failure'}`;
      // Those who preview a release are no visitors of it yet.
      if (!(await previewOf(request, releases)) && !counted.get(key)) {
        counted.set(key, true);
        stats.countFailure(remote, version, kind);
      }
      return reply.code(204).send();
    });
  });
}
