import type { ReleaseManagement } from '@daybook/releases/server';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../../request-error.ts';
import { hashSource } from '../../security-headers.ts';
import type { ReleaseStats } from '../../stats/release-stats.ts';
import type { OperatorAccess } from '../operator-access.ts';
import { releasesPageUrl } from '../releases-urls.ts';
import { renderReleasesPage, style } from './releases-page.ts';

interface ReleasesPageOptions {
  readonly management: ReleaseManagement;
  readonly stats: Pick<ReleaseStats, 'read'>;
  readonly access: OperatorAccess;
}

/** Gives the page an opaque origin, so that no script that opens it in a window can read it. */
const policy = `sandbox; default-src 'none'; style-src ${hashSource(style)}; img-src 'self'; base-uri 'none'; frame-ancestors 'none'`;

/**
 * Serves `/_releases`: the releases of each remote, to read only. Asks for an operator's token as the password of HTTP
 * Basic, with any name. Responds with 401 without one, 403 to a script, and 429 after too many wrong tokens.
 */
export function registerReleasesPage(
  server: FastifyInstance,
  { management, stats, access }: ReleasesPageOptions,
): void {
  const { live } = management;
  server.register(async (app) => {
    app.setErrorHandler(sendFailure);
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'Cache-Control': 'no-store, no-transform', 'X-Robots-Tag': 'noindex' });
    });
    app.get(releasesPageUrl, async (request, reply) => {
      // The browser adds the password to the requests of a page's script, too.
      if ((request.headers['sec-fetch-mode'] ?? 'navigate') !== 'navigate')
        return sendText(reply.code(403), 'This page is for people: open it in a window.');
      await access.check(request, passwordOf(request));
      // While the registry can't be used, the page shows what this server last knew.
      await live.refresh().catch(() => undefined);
      const counts = await stats.read(management.remotes);
      const { current: snapshot, problem } = live;
      reply.header('Content-Security-Policy', policy).type('text/html; charset=utf-8');
      return reply.send(renderReleasesPage({ snapshot, problem, counts }));
    });
  });
}

/** Returns the password of an `Authorization: Basic` header; empty for any other header. */
function passwordOf({ headers: { authorization = '' } }: FastifyRequest): string {
  const [, credentials = ''] = /^Basic (\S+)$/i.exec(authorization) ?? [];
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? [];
  return password;
}

const sendText = (reply: FastifyReply, line: string) => reply.type('text/plain; charset=utf-8').send(`${line}\n`);

function sendFailure(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(error instanceof RequestError)) throw error;
  if (error.statusCode === 401) reply.header('WWW-Authenticate', 'Basic realm="Daybook releases", charset="UTF-8"');
  if (error.retryAfter !== undefined) reply.header('Retry-After', error.retryAfter);
  return sendText(reply.code(error.statusCode), error.message);
}
