import { type PageReport, pageReportSchema, pageReportUrl } from '@daybook/contract/page';
import { customerNetworkOf } from '@daybook/server';
import type { RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Counts } from './counts.ts';
import { previewOf } from './pages/preview.ts';
import type { LiveSite } from './releases/live-site.ts';

/** Beyond, the oldest one may count twice. */
const maxCounted = 20_000;

const text = (reply: FastifyReply, status: number, line: string) =>
  reply.code(status).type('text/plain').send(`${line}\n`);

/** Serves `POST /_reports`: one failure counts per network (IPv4 address or IPv6 /48), remote and minute. */
export function registerReports(server: FastifyInstance, live: LiveSite, counts: Pick<Counts, 'countFailure'>): void {
  // Without the version: one client could report a failure of each stored release.
  const keyGenerator = ({ ip, body }: FastifyRequest) => {
    const { remote, kind } = body as PageReport;
    return `${customerNetworkOf(ip)} ${remote} ${kind === 'hydration' ? kind : 'failure'}`;
  };
  const firstIn = (timeWindow: string) => {
    const options: RateLimitOptions = { max: 1, timeWindow, cache: maxCounted, keyGenerator };
    const limit = server.createRateLimit(options);
    return async (request: FastifyRequest) => {
      const count = await limit(request);
      return !count.isAllowed && !count.isExceeded;
    };
  };
  const isFirstInMinute = firstIn('1 minute');
  const isNewNetwork = firstIn('1 hour');

  server.register(async (app) => {
    app.removeAllContentTypeParsers();
    // Some browsers send reports on unload as plain text.
    const types = ['application/json', 'text/plain'];
    app.addContentTypeParser(types, { parseAs: 'string' }, app.getDefaultJsonParser('error', 'error'));
    app.post(pageReportUrl, async (request, reply) => {
      const { data } = pageReportSchema.safeParse(request.body);
      const { site } = live;
      const release = data && site.find(data.remote, data.version)?.release;
      const isPossible =
        data && (release ? release.routes.some(({ path }) => path === data.route) : site.remote(data.remote));
      if (!isPossible) return text(reply, 400, 'The report is not about a route of a release of this site.');
      if (!release) return reply.code(204).send();
      if (!(await previewOf(request, live)) && (await isFirstInMinute(request)))
        counts.countFailure(data.remote, data.version, data.kind, await isNewNetwork(request));
      return reply.code(204).send();
    });
  });
}
