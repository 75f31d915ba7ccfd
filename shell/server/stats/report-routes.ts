import { type PageReport, pageReportSchema, pageReportUrl } from '@daybook/contract/page';
import type { SiteReleases } from '@daybook/releases/server';
import { customerNetworkOf } from '@daybook/server';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { FifoMap } from 'toad-cache';
import { previewOf } from '../preview/preview.ts';
import type { ReleaseStats } from './release-stats.ts';

/** Max entries of each table below, about 2 MB; beyond, the oldest network is forgotten and may count twice. */
const maxCounted = 20_000;

/** In ms: how often a network counts, and how often the alerts count it as one more network (deploy/monitoring). */
const countInterval = 60_000;
const networkInterval = 60 * 60_000;

/** Returns whether the report is plausible: the release is stored here and has the route. */
function isPossible({ remote, version, route }: PageReport, releases: Pick<SiteReleases, 'find'>): boolean {
  return releases.find(remote, version)?.release.routes.some(({ path }) => path === route) ?? false;
}

const text = (reply: FastifyReply, status: number, line: string) =>
  reply.code(status).type('text/plain').send(`${line}\n`);

/**
 * Accepts reports of failures from pages: `POST /_reports` with a `PageReport`; 204, or 400, 403, 413, 415. Nothing
 * about the visitor is stored.
 *
 * Counts one failure per network, remote and minute, of any release and kind; failed hydrations are counted separately.
 * A network is an IPv4 address or an IPv6 /48, so that no single customer of a provider can flood the counts. Visitors
 * behind one IP address of a carrier count as one, too: networks elsewhere report the same failure.
 *
 * Each replica counts by itself. Alerts therefore need several networks at one replica: a single client that reports
 * all day to all of them raises none.
 */
export function registerReports(
  server: FastifyInstance,
  {
    releases,
    stats,
  }: { releases: Pick<SiteReleases, 'find' | 'findPreview' | 'catchUp'>; stats: Pick<ReleaseStats, 'countFailure'> },
): void {
  const firstOf = (interval: number) => {
    const known = new FifoMap<true>(maxCounted, interval);
    return (key: string) => {
      if (known.get(key)) return false;
      known.set(key, true);
      return true;
    };
  };
  const isFirstInMinute = firstOf(countInterval);
  const isNewNetwork = firstOf(networkInterval);

  server.register(async (app) => {
    app.removeAllContentTypeParsers();
    // Pages send reports on unload as JSON or, in some browsers, as plain text.
    const types = ['application/json', 'text/plain'];
    app.addContentTypeParser(types, { parseAs: 'string' }, app.getDefaultJsonParser('error', 'error'));
    app.post(pageReportUrl, async (request, reply) => {
      const parsed = pageReportSchema.safeParse(request.body);
      if (!parsed.success || !isPossible(parsed.data, releases))
        return text(reply, 400, 'The report is not about a route of a release that is stored here.');
      const { remote, version, kind } = parsed.data;
      // Without the version: one client could report a failure of each stored release.
      const key = `${customerNetworkOf(request.ip)} ${remote} ${kind === 'hydration' ? kind : 'failure'}`;
      // Those who preview a release are no visitors of it yet.
      if (!(await previewOf(request, releases)) && isFirstInMinute(key))
        stats.countFailure(remote, version, kind, isNewNetwork(key));
      return reply.code(204).send();
    });
  });
}
