import { networkOf } from '@daybook/server';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CanaryAnalysis } from '../../outcomes/canary-analysis.ts';
import type { ReleaseOutcomes } from '../../outcomes/release-outcomes.ts';
import type { ReleaseChange } from '../../releases/log/remote-state.ts';
import type { ReleaseManagement } from '../../releases/release-management.ts';
import { overviewOf } from '../../releases/release-overview.ts';
import { consequencesOf, sentenceOf } from '../../releases/texts.ts';
import { AccessError, type Operator, type OperatorAccess } from '../operator-access.ts';
import { releasesPageAddress } from './change-forms.ts';
import {
  type Message,
  renderReleasesPage,
  renderSignInPage,
  signInAddress,
  signOutAddress,
  style,
  styleAddress,
} from './releases-page.ts';
import { makeRequestedChange, statusOfFailure } from './requested-change.ts';
import { createCsrfToken, openSession, registerSessions, type SessionOptions } from './sessions.ts';

/** Bytes of a form; the longest has about a tenth of it. */
const formLimit = 10_000;

/** In ms. The page is requested at once; a later reload does not announce what may be out of date by then. */
const announcedFor = 60_000;

export interface ReleasesPageOptions {
  readonly management: ReleaseManagement;
  readonly outcomes: ReleaseOutcomes;
  readonly analysis: CanaryAnalysis;
  readonly access: OperatorAccess;
  readonly sessions: SessionOptions;
}

const isScript = ({ headers }: FastifyRequest) => headers.authorization !== undefined;
const sendHtml = (reply: FastifyReply, page: string) => reply.type('text/html; charset=utf-8').send(page);
const sendText = (reply: FastifyReply, lines: readonly string[]) =>
  reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
const redirectToReleases = (reply: FastifyReply) => reply.redirect(releasesPageAddress, 303);

/** Names a change by remote and revision, in the address of the page that announces it: the words come from the log. */
const idOf = ({ remote, revision }: ReleaseChange) => `${remote}.${revision}`;

/**
 * `/_releases`: what visitors get of each remote, and the buttons that change it. For a person who has signed in, or
 * a script that sends `Authorization: Bearer <operator token>` and, with a token that has no name, `Operator-Name` for
 * the log. A GET changes nothing. A POST answers 303; or 400, 401, 403, 409, 422, 429 with the reason, and nothing has
 * changed then. A person gets pages, a script lines of text to its POST.
 */
export function registerReleasesPage(server: FastifyInstance, options: ReleasesPageOptions): void {
  const { management, access, sessions } = options;
  const { log, changes } = management;

  /** @throws AccessError for a request with neither a session nor a token */
  function operatorOf(request: FastifyRequest): Operator {
    if (isScript(request)) return access.scriptOf(request);
    const { operator } = request.session;
    if (operator === undefined) throw new AccessError(401, 'Your session is over. Please sign in.');
    return { name: operator, kind: 'person' };
  }

  const describeDone = (change: ReleaseChange) => [
    sentenceOf(change),
    ...consequencesOf(change, overviewOf(change.remote, management)),
  ];

  /** Returns what was just done; `undefined` where the parameter `done` names no change, or an old one. */
  function doneMessage(done: unknown): Message | undefined {
    const change = log.changes().findLast((each) => idOf(each) === done);
    if (!change || Date.now() - Date.parse(change.at) > announcedFor) return undefined;
    return { kind: 'done', sentences: describeDone(change) };
  }

  /** Sends the page of releases, or that to sign in, depending on the session. */
  function sendPage(request: FastifyRequest, reply: FastifyReply, operator: string | undefined, message?: Message) {
    const page = { message, csrfToken: createCsrfToken(request, reply) };
    if (operator !== undefined)
      return sendHtml(reply, renderReleasesPage({ ...page, ...options, operator, now: Date.now() }));
    const { name } = (request.body ?? {}) as { readonly name?: string };
    return sendHtml(reply, renderSignInPage({ ...page, nameField: access.nameField, name: name?.slice(0, 60) }));
  }

  function sendFailure(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const isForged = error.code?.startsWith('FST_CSRF_');
    const status = isForged ? 403 : (error.statusCode ?? statusOfFailure(error));
    if (status >= 500) request.log.error(error);
    reply.code(status);
    if (status === 401) reply.header('WWW-Authenticate', 'Bearer');
    if (error instanceof AccessError && error.retryAfter) reply.header('Retry-After', error.retryAfter);
    const { operator } = request.session;
    const message = isForged ? 'This form is out of date. Please send it again.' : error.message;
    const isKnown = isScript(request) || operator !== undefined || status < 500;
    const sentences = [isKnown ? message : 'Something went wrong on our side.', 'Nothing was changed.'];
    if (isScript(request)) return sendText(reply, sentences);
    // A visitor who comes to the page for the first time has made no mistake.
    const isFirstVisit = request.method === 'GET' && status === 401;
    return sendPage(request, reply, operator, isFirstVisit ? undefined : { kind: 'error', sentences });
  }

  server.register(async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formLimit },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
    );
    await registerSessions(app, sessions);
    app.setErrorHandler(sendFailure);
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' });
    });
    app.get(styleAddress, (_request, reply) =>
      reply.header('Cache-Control', 'public, max-age=31536000, immutable').type('text/css; charset=utf-8').send(style),
    );

    // Where a browser goes after a form there was rejected, or by its history.
    for (const address of [signInAddress, signOutAddress])
      app.get(address, (_request, reply) => redirectToReleases(reply));

    app.post<{ Body: Readonly<Record<string, string | undefined>> }>(
      signInAddress,
      { preHandler: app.csrfProtection },
      async (request, reply) => {
        const { token = '', name = '' } = request.body;
        const operator = access.nameOfPerson(request, token.trim(), name);
        await openSession(request, operator);
        const network = networkOf(request.ip);
        request.log.info({ operator, network }, `Operator ${operator} signed in from ${network}`);
        return redirectToReleases(reply);
      },
    );

    app.post(signOutAddress, { preHandler: app.csrfProtection }, async (request, reply) => {
      const { operator } = request.session;
      if (operator === undefined) return redirectToReleases(reply);
      await request.session.destroy();
      request.log.info({ operator, network: networkOf(request.ip) }, `Operator ${operator} signed out`);
      return redirectToReleases(reply);
    });

    app.get<{ Querystring: { done?: string } }>(releasesPageAddress, (request, reply) => {
      const { name } = operatorOf(request);
      log.refresh();
      return sendPage(request, reply, name, doneMessage(request.query.done));
    });

    /** Browsers send a session by themselves, so its requests need a CSRF token; a script's token is sent on purpose. */
    const verifyCsrfToken: typeof app.csrfProtection = (request, reply, done) =>
      isScript(request) || request.session.operator === undefined ? done() : app.csrfProtection(request, reply, done);

    app.post(releasesPageAddress, { preHandler: verifyCsrfToken }, (request, reply) => {
      const change = makeRequestedChange(request.body, operatorOf(request).name, changes);
      reply.code(303).header('Location', `${releasesPageAddress}?done=${encodeURIComponent(idOf(change))}`);
      return sendText(reply, describeDone(change));
    });
  });
}
