import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CanaryAnalysis } from '../../outcomes/canary-analysis.ts';
import type { ReleaseOutcomes } from '../../outcomes/release-outcomes.ts';
import type { ReleaseManagement } from '../../releases/release-management.ts';
import { overviewOf } from '../../releases/release-overview.ts';
import { AccessError, type Operator, type OperatorAccess } from '../operator-access.ts';
import { releasesPageAddress, styleAddress } from './addresses.ts';
import { describeDone, doneAddress, doneMessage } from './done-message.ts';
import { type Message, style } from './page-frame.ts';
import { renderReleasesPage } from './releases-page.ts';
import { makeRequestedChange, statusOfRefusal } from './requested-change.ts';
import { createCsrfToken, registerSessions, type SessionOptions } from './sessions.ts';
import { registerSignIn, renderSignInPage } from './sign-in.ts';

/** Bytes of a form; the longest has about a tenth of it. */
const formLimit = 10_000;

export interface ReleasesPageOptions {
  readonly management: ReleaseManagement;
  readonly outcomes: ReleaseOutcomes;
  readonly analysis: CanaryAnalysis;
  readonly access: OperatorAccess;
  readonly sessions: SessionOptions;
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

const isScript = ({ headers }: FastifyRequest) => headers.authorization !== undefined;

const sendHtml = (reply: FastifyReply, page: string) => reply.type('text/html; charset=utf-8').send(page);
const sendText = (reply: FastifyReply, lines: readonly string[]) =>
  reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);

/** Returns the status and the message of an error response. */
function describeFailure(error: FastifyError): readonly [status: number, message: string] {
  if (error.code?.startsWith('FST_CSRF_')) return [403, 'This form is out of date. Please send it again.'];
  return [error.statusCode ?? statusOfRefusal(error), error.message];
}

/**
 * `/_releases`: what visitors get of each remote, and the buttons that change it. For a person who has signed in, or
 * a script that sends `Authorization: Bearer <operator token>` and, with a token that has no name, `Operator-Name` for
 * the log. A GET changes nothing. A POST answers 303; or 400, 401, 403, 409, 422, 429 with the reason, and nothing has
 * changed then. A person gets pages, a script lines of text to its POST.
 */
export function registerReleasesPage(server: FastifyInstance, options: ReleasesPageOptions): void {
  const { management, outcomes, analysis, access, sessions } = options;
  const { log, changes } = management;

  /** @throws AccessError for a request with neither a session nor a token */
  function operatorOf(request: FastifyRequest): Operator {
    if (isScript(request)) return access.scriptOf(request);
    const { operator } = request.session;
    if (operator === undefined) throw new AccessError(401, 'Your session is over. Please sign in.');
    return { name: operator, kind: 'person' };
  }

  /** Sends the page of releases, or that to sign in, depending on the session. */
  function sendPage(request: FastifyRequest, reply: FastifyReply, operator: string | undefined, message?: Message) {
    const page = { message, csrfToken: createCsrfToken(request, reply) };
    if (operator !== undefined)
      return sendHtml(
        reply,
        renderReleasesPage({ ...page, management, outcomes, analysis, operator, now: Date.now() }),
      );
    const { name } = (request.body ?? {}) as { readonly name?: string };
    return sendHtml(reply, renderSignInPage({ ...page, nameField: access.nameField, name: name?.slice(0, 60) }));
  }

  function sendFailure(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const [status, message] = describeFailure(error);
    if (status >= 500) request.log.error(error);
    reply.code(status);
    if (status === 401) reply.header('WWW-Authenticate', 'Bearer');
    if (error instanceof AccessError && error.retryAfter) reply.header('Retry-After', error.retryAfter);
    const { operator } = request.session;
    const isKnown = isScript(request) || operator !== undefined || status < 500;
    const sentences = [isKnown ? message : 'Something went wrong on our side.', 'Nothing was changed.'];
    if (isScript(request)) return sendText(reply, sentences);
    // A visitor who comes to the page for the first time has made no mistake.
    const isFirstVisit = request.method === 'GET' && status === 401;
    return sendPage(request, reply, operator, isFirstVisit ? undefined : { kind: 'error', sentences });
  }

  server.register(async (app) => {
    readForms(app);
    await registerSessions(app, sessions);
    app.setErrorHandler(sendFailure);
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' });
    });
    app.get(styleAddress, (_request, reply) =>
      reply.header('Cache-Control', 'public, max-age=31536000, immutable').type('text/css; charset=utf-8').send(style),
    );
    registerSignIn(app, access);

    app.get<{ Querystring: { done?: string } }>(releasesPageAddress, (request, reply) => {
      const { name } = operatorOf(request);
      log.refresh();
      return sendPage(request, reply, name, doneMessage(request.query.done, management));
    });

    /** Browsers send a session by themselves, so its requests need a CSRF token; a script's token is sent on purpose. */
    const verifyCsrfToken: typeof app.csrfProtection = (request, reply, done) =>
      isScript(request) || request.session.operator === undefined ? done() : app.csrfProtection(request, reply, done);

    app.post(releasesPageAddress, { preHandler: verifyCsrfToken }, (request, reply) => {
      const operator = operatorOf(request);
      const change = makeRequestedChange(request.body, operator.name, changes);
      reply.code(303).header('Location', doneAddress(change));
      return sendText(reply, describeDone(change, overviewOf(change.remote, management)).sentences);
    });
  });
}
