import { type FailureReport, failureReportAddress, failureReportSchema } from '@daybook/contract';
import type { FastifyInstance } from 'fastify';
import type { SiteReleases } from '../releases/site-releases.ts';
import { networkOf } from './client-network.ts';
import { OnceAMinute } from './once-a-minute.ts';
import type { ReleaseOutcomes } from './release-outcomes.ts';

/** Bytes; a report has about 120. */
const bodyLimit = 1_000;

/** Whether the report can be true: the release is kept here and has the route. */
function isPossible({ remote, version, route }: FailureReport, releases: SiteReleases): boolean {
  return releases.hasRoute(remote, version, route);
}

/**
 * Takes the reports of pages whose remote failed: `POST /_failures` with a `FailureReport`; 204, or 400, 403,
 * 413, 429. Nothing of the visitor is kept: of each network one report a minute counts, for which its address is
 * held in memory for that minute.
 */
export function registerFailureReports(app: FastifyInstance, releases: SiteReleases, outcomes: ReleaseOutcomes): void {
  const once = new OnceAMinute();
  app.post(failureReportAddress, { bodyLimit }, (request, reply) => {
    const { origin } = request.headers;
    if (origin && URL.parse(origin)?.host !== request.host)
      return reply.code(403).type('text/plain').send('Reports are taken from pages of this site alone.\n');
    const parsed = failureReportSchema.safeParse(request.body);
    if (!parsed.success || !isPossible(parsed.data, releases))
      return reply.code(400).type('text/plain').send('The report is not of a route of a release that is kept here.\n');
    const { remote, version, kind } = parsed.data;
    const first = once.isFirst(`${networkOf(request.ip)} ${remote}@${version} ${kind}`);
    if (first === 'full')
      return reply.code(429).header('Retry-After', '60').type('text/plain').send('Too many reports.\n');
    if (first) outcomes.countFailure(remote, version, kind);
    return reply.code(204).send();
  });
}
