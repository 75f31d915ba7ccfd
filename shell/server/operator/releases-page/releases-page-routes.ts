import { ReleaseRejection } from '@daybook/releases';
import {
  ConflictError,
  type Deployment,
  DeploymentError,
  deploymentActions,
  deploymentTexts,
  type LiveSnapshot,
  logWordsSchema,
  overviewOf,
  parsePercent,
  RegistryError,
  type ReleaseManagement,
  replacedBy,
} from '@daybook/releases/server';
import { logErrorResponse } from '@daybook/server';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { RequestError } from '../../request-error.ts';
import type { ReleaseStats } from '../../stats/release-stats.ts';
import type { OperatorAccess } from '../operator-access.ts';
import { releasesPageUrl, styleUrl } from '../releases-urls.ts';
import { type Message, renderReleasesPage, renderSignInPage, style } from './releases-page.ts';
import { createCsrfToken, registerSessions, type SessionOptions } from './sessions.ts';
import { registerSignIns } from './sign-in-routes.ts';

/** Bytes; about ten times the largest form. */
const formLimit = 10_000;

/** In ms. The browser requests the page at once; a later reload does not announce a deployment that may be outdated. */
const announcedFor = 60_000;

const deploymentSchema = z.object({
  action: z.enum(deploymentActions, `“action” has to be one of ${deploymentActions.join(', ')}.`),
  remote: z.string('“remote” is missing.'),
  version: z.string().optional(),
  percent: z.string().default(''),
  audience: z.enum(['canary', 'preview'], '“audience” has to be canary or preview.').optional(),
  why: logWordsSchema('a reason').optional(),
  /** Number of the remote's last deployment when the page was rendered; optional for scripts. */
  seen: z.string().regex(/^\d+$/, '“seen” has to be a number.').transform(Number).optional(),
});

interface ReleasesPageOptions {
  readonly management: ReleaseManagement;
  readonly stats: Pick<ReleaseStats, 'read'>;
  readonly access: OperatorAccess;
  readonly sessions: SessionOptions;
}

/**
 * Serves `/_releases`: the releases of each remote, and forms to change them. For signed-in operators, and scripts that
 * send `Authorization: Bearer <operator token>`. A GET changes nothing. A POST responds with 303; or, without changing
 * anything, with 400, 401, 403, 409, 422 or 429 and the reason. Browsers get HTML; scripts get plain text for a POST.
 */
export function registerReleasesPage(server: FastifyInstance, options: ReleasesPageOptions): void {
  const { management, access, sessions } = options;
  const { live } = management;
  server.register(async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formLimit },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
    );
    await registerSessions(app, sessions);
    app.setErrorHandler((error: FastifyError, request, reply) => sendFailure(options, error, request, reply));
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'Cache-Control': 'no-store, no-transform', 'X-Robots-Tag': 'noindex' });
    });
    app.get(styleUrl, (_request, reply) =>
      reply.header('Cache-Control', 'public, max-age=31536000, immutable').type('text/css; charset=utf-8').send(style),
    );
    registerSignIns(app, access, sessions.registry);

    app.get<{ Querystring: { done?: string } }>(releasesPageUrl, async (request, reply) => {
      const operator = await operatorOf(request, access);
      // While the registry can't be used, the page shows what this server last knew.
      await live.refresh().catch(() => undefined);
      return sendPage(options, request, reply, operator, doneMessage(live, request.query.done));
    });

    /** CSRF tokens are needed only with a session, which browsers send automatically. */
    const verifyCsrfToken: typeof app.csrfProtection = (request, reply, done) =>
      isScript(request) || request.session.operator === undefined ? done() : app.csrfProtection(request, reply, done);

    app.post(releasesPageUrl, { preHandler: verifyCsrfToken }, async (request, reply) => {
      const deployment = await deploy(request.body, await operatorOf(request, access), management);
      reply.code(303).header('Location', `${releasesPageUrl}?done=${encodeURIComponent(idOf(deployment))}`);
      return sendText(reply, sentencesOf(deployment, live));
    });
  });
}

const isScript = ({ headers }: FastifyRequest) => headers.authorization !== undefined;

/**
 * Returns the name of the operator of a request.
 *
 * @throws RequestError for a request with neither a session nor a token
 */
async function operatorOf(request: FastifyRequest, access: OperatorAccess): Promise<string> {
  const operator = isScript(request) ? await access.nameOfScript(request) : request.session.operator;
  if (operator === undefined) throw new RequestError(401, 'Your session is over. Please sign in.');
  return operator;
}

/** Makes the deployment of a form; throws without changing anything if it can't be made. */
async function deploy(form: unknown, by: string, management: ReleaseManagement): Promise<Deployment> {
  const parsed = deploymentSchema.safeParse(form);
  if (!parsed.success) throw new RequestError(400, parsed.error.issues.map(({ message }) => message).join(' '));
  const { remote, percent, why, seen, ...request } = parsed.data;
  const share = request.action === 'offer' ? { percent: parsePercent(percent) } : {};
  return management.deploy(remote, { ...request, ...share }, { by, why, seen });
}

/** Identifies a deployment in the URL of the page that announces it; the text is rendered from the log. */
const idOf = ({ remote, number }: Deployment) => `${remote}.${number}`;

const sentencesOf = (deployment: Deployment, { current }: LiveSnapshot) =>
  deploymentTexts(deployment, overviewOf(deployment.remote, current), replacedBy(deployment, current));

/** Returns the message for the deployment in the parameter `done`; `undefined` for none, or an old one. */
function doneMessage(live: LiveSnapshot, done: unknown): Message | undefined {
  const deployment = live.current.deployments().findLast((each) => idOf(each) === done);
  if (!deployment || Date.now() - Date.parse(deployment.at) > announcedFor) return undefined;
  return { kind: 'done', sentences: sentencesOf(deployment, live) };
}

const sendText = (reply: FastifyReply, lines: readonly string[]) =>
  reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);

/** Sends the releases, or the page to sign in for a request of nobody. */
async function sendPage(
  { access, management, stats }: ReleasesPageOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  operator: string | undefined,
  message?: Message,
): Promise<FastifyReply> {
  const page = { message, csrfToken: createCsrfToken(request, reply) };
  const { name } = (request.body ?? {}) as { readonly name?: string };
  reply.type('text/html; charset=utf-8');
  if (operator === undefined)
    return reply.send(renderSignInPage({ ...page, nameField: access.nameField, name: name?.slice(0, 60) }));
  const counts = await stats.read(management.remotes);
  const { current: snapshot, problem } = management.live;
  return reply.send(renderReleasesPage({ ...page, snapshot, problem, counts, operator }));
}

const isForged = ({ code }: FastifyError) => code?.startsWith('FST_CSRF_');

/** 503 if the registry can't be used. */
function statusOf(error: FastifyError): number {
  if (isForged(error)) return 403;
  if (error instanceof ConflictError || error instanceof ReleaseRejection) return 409;
  if (error instanceof RegistryError) return 503;
  return error instanceof DeploymentError ? 422 : (error.statusCode ?? 500);
}

async function sendFailure(
  options: ReleasesPageOptions,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const status = statusOf(error);
  if (status >= 500) logErrorResponse(request, 'error', { err: error }, error.message);
  reply.code(status);
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer');
  if (error instanceof RequestError && error.retryAfter) reply.header('Retry-After', error.retryAfter);
  // Absent if the session could not be read.
  const session = request.session as typeof request.session | undefined;
  const operator = session?.operator;
  const message = isForged(error) ? 'This form is out of date. Please send it again.' : error.message;
  // Strangers do not learn why the server failed.
  const isShown = isScript(request) || operator !== undefined || status < 500 || error instanceof RegistryError;
  const sentences = [
    isShown ? message : 'Something went wrong on our side.',
    // Otherwise its confirmation may be lost.
    status < 500 ? 'Nothing was changed.' : 'Check whether anything was changed before you try again.',
  ];
  if (isScript(request) || !session) return sendText(reply, sentences);
  // The first visit without a session is no error.
  const isFirstVisit = request.method === 'GET' && status === 401;
  return sendPage(options, request, reply, operator, isFirstVisit ? undefined : { kind: 'error', sentences });
}
