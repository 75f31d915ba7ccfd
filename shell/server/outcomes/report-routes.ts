import { type PageReport, pageReportAddress, pageReportSchema } from '@daybook/contract';
import { networkOf } from '@daybook/server';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SiteReleases } from '../releases/site-releases.ts';
import { MinuteLimit } from './minute-limit.ts';
import type { ReleaseOutcomes } from './release-outcomes.ts';

/** Bytes; a report has about 120. */
const bodyLimit = 1_000;

/** Whether the report can be true: the release is kept here and has the route. */
function isPossible({ remote, version, route }: PageReport, releases: SiteReleases): boolean {
  return releases.find(remote, version)?.release.routes.some(({ path }) => path === route) ?? false;
}

const text = (reply: FastifyReply, status: number, line: string) =>
  reply.code(status).type('text/plain').send(`${line}\n`);

/** A page that is being left sends its report as JSON or, with some browsers, as plain text. */
function readReports(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', 'text/plain'],
    { parseAs: 'string', bodyLimit },
    (_request, body, done) => {
      try {
        done(null, JSON.parse(body.toString()));
      } catch {
        done(Object.assign(new Error('The report is not JSON.'), { statusCode: 400 }));
      }
    },
  );
}

/** Of each network this many views of a release count within a minute: as many as an office has, and no flood. */
const mostViews = 60;

/**
 * Takes what pages report of remotes, failures and views: `POST /_reports` with a `PageReport`; 204, or 400, 403, 413,
 * 415, 429. Nothing of the visitor is kept. Of each network one failure of a release counts within a minute, whatever
 * its kind, so that nobody ends a canary alone; for that its address is held in memory for the minute. A failed
 * hydration ends none, and counts beside.
 */
export function registerReports(server: FastifyInstance, releases: SiteReleases, outcomes: ReleaseOutcomes): void {
  const limit = new MinuteLimit();
  server.register(async (app) => {
    readReports(app);
    app.post(pageReportAddress, (request, reply) => {
      const parsed = pageReportSchema.safeParse(request.body);
      if (!parsed.success || !isPossible(parsed.data, releases))
        return text(reply, 400, 'The report is not of a route of a release that is kept here.');
      const { remote, version, kind } = parsed.data;
      const sender = `${networkOf(request.ip)} ${remote}@${version}`;
      const admitted =
        kind === 'view'
          ? limit.admits(`${sender} view`, mostViews)
          : limit.admits(kind === 'hydration' ? `${sender} hydration` : sender, 1);
      if (admitted === 'full') return text(reply.header('Retry-After', '60'), 429, 'Too many reports.');
      if (admitted && kind === 'view') outcomes.countView(remote, version);
      else if (admitted && kind !== 'view') outcomes.countFailure(remote, version, kind);
      return reply.code(204).send();
    });
  });
}
