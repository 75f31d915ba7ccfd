import type { FastifyInstance, FastifyReply } from 'fastify';
import type { CanaryAnalysis } from '../../outcomes/canary-analysis.ts';
import type { ReleaseOutcomes } from '../../outcomes/release-outcomes.ts';
import type { ReleaseManagement } from '../../releases/release-management.ts';
import { overviewOf } from '../../releases/release-overview.ts';
import { releasesPageAddress, styleAddress } from './addresses.ts';
import { describeDone, rememberDone, takeDone } from './done-message.ts';
import type { Gate } from './gate.ts';
import { isFromThisSite, type Operator } from './operator-sessions.ts';
import { type Message, style } from './page-frame.ts';
import { renderReleasesPage } from './releases-page.ts';
import { makeRequestedChange, statusOfRefusal } from './requested-change.ts';
import { sendHtml, sendText } from './send.ts';
import { registerSignIn } from './sign-in-routes.ts';

/** Bytes of a form; the longest has about a tenth of it. */
const formLimit = 10_000;

export interface ReleasesPageOptions {
  readonly management: ReleaseManagement;
  readonly outcomes: ReleaseOutcomes;
  readonly analysis: CanaryAnalysis;
  readonly gate: Gate;
}

/** The routes of this page read forms and nothing else. */
function readForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formLimit },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
  );
}

/**
 * `/_releases`: what visitors get of each remote, and the buttons that change it. For a person who has signed in, or
 * a script that sends `Authorization: Bearer <operator token>` and, if it likes, `Operator-Name` for the log.
 * A GET changes nothing. A POST answers 303; or 400, 401, 403, 409, 422, 429 with the reason, and nothing has
 * changed then. A person gets pages, a script lines of text to its POST.
 */
export function registerReleasesPage(
  server: FastifyInstance,
  { management, outcomes, analysis, gate }: ReleasesPageOptions,
): void {
  const { log, changes } = management;

  function sendPage(reply: FastifyReply, operator: Operator, message: Message | undefined): FastifyReply {
    const page = { management, outcomes, analysis, operator: operator.name, message, now: Date.now() };
    return sendHtml(reply, renderReleasesPage(page));
  }

  function refuse(reply: FastifyReply, operator: Operator, status: number, problem: string): FastifyReply {
    const sentences = [problem, 'Nothing was changed.'];
    reply.code(status);
    return operator.kind === 'script'
      ? sendText(reply, sentences)
      : sendPage(reply, operator, { kind: 'error', sentences });
  }

  server.register(async (app) => {
    readForms(app);
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' });
    });
    app.get(styleAddress, (_request, reply) =>
      reply.header('Cache-Control', 'public, max-age=31536000, immutable').type('text/css; charset=utf-8').send(style),
    );
    registerSignIn(app, gate);

    app.get(
      releasesPageAddress,
      gate.forOperators((request, reply, operator) => {
        log.refresh();
        return sendPage(reply, operator, takeDone(request, reply, management));
      }),
    );

    app.post(
      releasesPageAddress,
      gate.forOperators((request, reply, operator) => {
        if (operator.kind === 'person' && !isFromThisSite(request))
          return refuse(reply, operator, 403, 'The form was not sent from this site.');
        try {
          const change = makeRequestedChange(request.body, operator.name, changes);
          rememberDone(request, reply, change);
          const done = describeDone(change, overviewOf(change.remote, management));
          return sendText(reply.code(303).header('Location', releasesPageAddress), done.sentences);
        } catch (error) {
          const status = statusOfRefusal(error);
          if (status === 500) request.log.error(error);
          return refuse(reply, operator, status, (error as Error).message);
        }
      }),
    );
  });
}
