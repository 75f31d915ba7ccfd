import { type FailureReport, failureReportAddress, failureReportSchema } from '@daybook/contract';
import { networkOf } from '@daybook/contract/server';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SiteReleases } from '../releases/site-releases.ts';
import { OnceAMinute } from './once-a-minute.ts';
import type { ReleaseOutcomes } from './release-outcomes.ts';

/** Bytes; a report has about 120. */
const bodyLimit = 1_000;

/** Whether the report can be true: the release is kept here and has the route. */
function isPossible({ remote, version, route }: FailureReport, releases: SiteReleases): boolean {
  return releases.hasRoute(remote, version, route);
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

/**
 * Takes the reports of pages whose remote failed: `POST /_failures` with a `FailureReport`; 204, or 400, 403,
 * 413, 415, 429. Nothing of the visitor is kept: of each network one report a minute counts, for which its address
 * is held in memory for that minute.
 */
export function registerFailureReports(
  server: FastifyInstance,
  releases: SiteReleases,
  outcomes: ReleaseOutcomes,
): void {
  const once = new OnceAMinute();
  server.register(async (app) => {
    readReports(app);
    app.post(failureReportAddress, (request, reply) => {
      const parsed = failureReportSchema.safeParse(request.body);
      if (!parsed.success || !isPossible(parsed.data, releases))
        return text(reply, 400, 'The report is not of a route of a release that is kept here.');
      const { remote, version, kind } = parsed.data;
      const first = once.isFirst(`${networkOf(request.ip)} ${remote}@${version} ${kind}`);
      if (first === 'full') return text(reply.header('Retry-After', '60'), 429, 'Too many reports.');
      if (first) outcomes.countFailure(remote, version, kind);
      return reply.code(204).send();
    });
  });
}
