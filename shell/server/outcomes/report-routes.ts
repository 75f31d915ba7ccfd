import { type PageReport, pageReportAddress, pageReportSchema } from '@daybook/contract/page';
import { customerNetworkOf } from '@daybook/server';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SiteReleases } from '../releases/site-releases.ts';
import type { Site } from '../site.ts';
import { OnceWithin } from './once-within.ts';

/** Bytes; a report has about 120, and 250 more with its nonce. */
const bodyLimit = 2_000;

/** Max networks and failures counted within a minute, about 2 MB; beyond, a network may count twice. */
const maxCounted = 20_000;

/** Returns whether the report is plausible: the release is stored here and has the route. */
function isPossible({ remote, version, route }: PageReport, releases: SiteReleases): boolean {
  return releases.find(remote, version)?.release.routes.some(({ path }) => path === route) ?? false;
}

const text = (reply: FastifyReply, status: number, line: string) =>
  reply.code(status).type('text/plain').send(`${line}\n`);

/**
 * Accepts reports of failures from pages: `POST /_reports` with a `PageReport`; 204, or 400, 403, 413, 415,
 * 429. Nothing about the visitor is stored.
 *
 * While a canary of the remote runs, a report needs the nonce that came with the release, and `CanaryAnalysis` compares
 * it by network. Metrics and charts count one failure of a release per network and minute, of any kind; failed
 * hydrations are counted separately. A network is an IPv4 address or an IPv6 /48, so that no single customer of a
 * provider can flood the counts.
 */
export function registerReports(
  server: FastifyInstance,
  { releases, stats, analysis }: Pick<Site, 'releases' | 'stats' | 'analysis'>,
): void {
  const counted = new OnceWithin(60_000, maxCounted);
  const rejectForNow = (reply: FastifyReply) => text(reply.header('Retry-After', '60'), 429, 'Too many reports.');

  server.register(async (app) => {
    app.removeAllContentTypeParsers();
    // Pages send reports on unload as JSON or, in some browsers, as plain text.
    const types = ['application/json', 'text/plain'];
    app.addContentTypeParser(types, { parseAs: 'string', bodyLimit }, app.getDefaultJsonParser('error', 'error'));
    app.post(pageReportAddress, (request, reply) => {
      const parsed = pageReportSchema.safeParse(request.body);
      if (!parsed.success || !isPossible(parsed.data, releases))
        return text(reply, 400, 'The report is not about a route of a release that is stored here.');
      const { remote, version, kind } = parsed.data;
      const release = `${remote}@${version}`;
      const countedAs = kind === 'hydration' ? kind : 'failure';
      const nonce = analysis.nonces.verify(parsed.data.nonce ?? '', request.ip);
      const counts = analysis.countsOf(remote);
      if (counts) {
        if (!nonce?.releases.includes(release))
          return text(reply, 403, 'The report needs a nonce that came with this release in the last 10 minutes.');
        // Before the limits of the charts: a client that exhausts them can't hide failures from the comparison.
        if (countedAs === 'failure' && !counts.countFailure(version, nonce)) return rejectForNow(reply);
      }
      const key = `${release} ${countedAs}`;
      const isFirst = counted.admits(`${customerNetworkOf(request.ip)} ${key}`);
      if (isFirst && (!nonce || analysis.nonces.use(nonce, key))) stats.countFailure(remote, version, kind);
      return reply.code(204).send();
    });
  });
}
