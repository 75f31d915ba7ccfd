import { shellParts } from '@daybook/contract/parts';
import { ReleaseRejection, verifyRelease } from '@daybook/releases';
import {
  boundBy,
  ConflictError,
  type Deployment,
  DeploymentError,
  describeDone,
  describePublication,
  diskProblem,
  type Offer,
  overviewOf,
  type PublishingServer,
  publishRelease,
  RegistryError,
  RequestRejection,
  replacedBy,
  type SiteRegistry,
  uploadLimits,
} from '@daybook/releases/server';
import { logErrorResponse } from '@daybook/server';
import multipart from '@fastify/multipart';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import type { Metrics } from '../metrics.ts';
import { AccessError } from '../operator/operator-access.ts';
import { releasesPageAddress } from '../operator/releases-page/deployment-forms.ts';
import { type Caller, type CallerOptions, identifyCaller } from './caller.ts';
import { maxUpload, readUpload } from './read-upload.ts';
import { deploymentSchema, describeApi, publicationSchema } from './releases-api-description.ts';

/** Bytes; about ten times the largest deployment. */
const deploymentLimit = 10_000;

/** Uploads that a server takes at once: each is written to the disk, and its transaction has a connection. */
const maxUploads = 3;

/** Of a team, by its key, within an hour: each stays in the log, which all servers have in memory. */
const maxDeployments = 100;
const hour = 60 * 60_000;

/** In ms. */
const previewLength = 7 * 24 * 60 * 60_000;

interface ReleasesApiOptions extends PublishingServer, CallerOptions {
  readonly registry: SiteRegistry;
  readonly metrics: Pick<Metrics, 'problems'>;
}

/** Thrown for an upload that is not read, with the status of its response. */
class UploadError extends Error {
  override readonly name = 'UploadError';
  readonly statusCode: 400 | 411 | 413 | 429;
  /** In s. */
  readonly retryAfter: number | undefined;

  constructor(statusCode: UploadError['statusCode'], message: string, retryAfter?: number) {
    super(message);
    this.statusCode = statusCode;
    this.retryAfter = retryAfter;
  }
}

function statusOf(error: FastifyError): number {
  if (error instanceof ConflictError) return 409;
  if (error instanceof ReleaseRejection || error instanceof DeploymentError) return 422;
  if (error instanceof RegistryError) return 503;
  return error.statusCode ?? (diskProblem(error) ? 507 : 500);
}

/** Responds with what went wrong; strangers learn nothing of an unexpected failure, nor that nothing was changed. */
function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const statusCode = statusOf(error);
  if (statusCode >= 500)
    logErrorResponse(
      request,
      'error',
      { route: request.routeOptions.url, status: statusCode, err: error },
      error.message,
    );
  if (statusCode === 401) reply.header('WWW-Authenticate', 'Bearer');
  const { retryAfter } = error as Partial<UploadError & AccessError>;
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter);
  const isShown = statusCode < 500 || error instanceof RegistryError;
  const failed =
    statusCode === 507
      ? `This server can't take releases; tell the operators of the site: ${diskProblem(error)}.`
      : 'Something went wrong on our side. Check what visitors get, then try again.';
  const message = isShown ? error.message : failed;
  const errors = error instanceof ReleaseRejection ? { errors: error.errors } : {};
  return reply.code(statusCode).send({ statusCode, error: isShown ? error.name : 'Error', message, ...errors });
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  throw new AccessError(400, issues.join('; '));
}

function parseJson(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    throw new AccessError(400, 'The body has to be JSON.');
  }
}

/** The size of a body in bytes; @throws UploadError if it is unknown or too large */
function lengthOf({ headers }: FastifyRequest): number {
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (Number.isNaN(length)) throw new UploadError(411, 'A release is sent with its Content-Length.');
  if (length > maxUpload)
    throw new UploadError(413, `The release has ${length} bytes; at most ${maxUpload} are accepted.`);
  return length;
}

/**
 * Aborts when the client is gone before all of its body was read. It may be gone already, while its token was checked: then
 * nothing would ever end the parts of the body.
 */
function abortedBy({ raw }: FastifyRequest): AbortSignal {
  const aborted = new AbortController();
  const abort = () => aborted.abort(new UploadError(400, 'The client was gone before its release had come.'));
  if (raw.destroyed) abort();
  raw.once('close', () => {
    if (!raw.readableEnded) abort();
  });
  return aborted.signal;
}

type OfRemote = { readonly Params: { readonly remote: string }; readonly Querystring: object };

/**
 * Serves the API of releases, for operators' tokens and requests that a team has signed: teams push releases, and both
 * make deployments. Responses are JSON; those to a change describe what visitors get now.
 */
export function registerReleasesApi(server: FastifyInstance, options: ReleasesApiOptions): void {
  const { management, live, registry, teamKeys, metrics } = options;
  let uploads = 0;

  const remoteOf = async (request: FastifyRequest<OfRemote>) => {
    const { remote } = request.params;
    const caller = await identifyCaller(request, remote, options);
    if (!teamKeys.remotes().includes(remote)) teamKeys.refresh((problem) => request.log.error(problem));
    management.checkKnown(remote);
    return { remote, caller };
  };

  /** What a change did, and what visitors get now. */
  const changed = (deployment: Deployment | undefined, remote: string) => ({
    deployment,
    overview: overviewOf(remote, live.current),
    replaced: deployment && replacedBy(deployment, live.current),
  });

  /** Counts an upload before its body is read. */
  async function countUpload(request: FastifyRequest, remote: string): Promise<void> {
    const length = lengthOf(request);
    if (uploads > maxUploads) throw new UploadError(429, `This server takes ${maxUploads} uploads at once.`, 5);
    const rejection = await registry.countUpload(remote, length);
    if (!rejection) return;
    const { reason, retryAfter } = rejection;
    const again = new Date(Date.now() + retryAfter * 1000).toISOString();
    throw new UploadError(
      429,
      `${remote} may send ${uploadLimits[reason]} ${reason} an hour; again at ${again}.`,
      retryAfter,
    );
  }

  async function publish(request: FastifyRequest<OfRemote>, remote: string, caller: Caller) {
    const { percent, preview, why, base } = parse(publicationSchema, request.query);
    const offers: readonly (Offer | undefined)[] = [
      percent === undefined ? undefined : { percent },
      preview === undefined
        ? undefined
        : { tokenHash: preview, endsAt: new Date(Date.now() + previewLength).toISOString() },
    ];
    const [offer, another] = offers.filter((each) => each !== undefined);
    if (another) throw new AccessError(400, 'A release is published as a canary or as a preview, not as both.');
    const signal = abortedBy(request);
    return live.files.inTemporary(async (folder) => {
      const sent = await readUpload(request, folder, signal);
      await verifyRelease(sent.manifest, sent.signature, remote, teamKeys.keysOf(remote));
      caller.check(sent.manifest);
      return publishRelease(options, { ...sent, remote, offer, reason: { by: caller.by, why, base } }, signal);
    });
  }

  /** A team decides on what it has seen, so that a replayed request has no effect; and a hold of operators binds it. */
  async function checkTeam(remote: string, { by, isTeam }: Caller, asked: z.infer<typeof deploymentSchema>) {
    if (!isTeam) return;
    const { action, seen } = asked;
    if (seen === undefined)
      throw new AccessError(400, "“seen” is missing: the number of the remote's last deployment.");
    await live.refresh();
    const deployments = live.current.deployments(remote);
    const recent = deployments.filter((each) => each.by === by && Date.now() - Date.parse(each.at) < hour);
    if (recent.length >= maxDeployments) {
      const again = Date.parse(recent[0]?.at ?? '') + hour;
      const message = `A team may make ${maxDeployments} deployments an hour; again at ${new Date(again).toISOString()}. Operators still can.`;
      throw new AccessError(429, message, Math.ceil((again - Date.now()) / 1000));
    }
    const heldBy = boundBy(live.current.stateOf(remote), action);
    if (heldBy === undefined) return;
    const { why } = deployments.findLast((each) => each.action === 'hold') ?? {};
    throw new RequestRejection(403, `${remote} is held by ${heldBy} (${why}); only operators can change that.`);
  }

  function deploy(remote: string, by: string, parsed: z.infer<typeof deploymentSchema>): Promise<Deployment> {
    const { action, version, percent, audience, why, seen } = parsed;
    const reason = { by, why, seen };
    const needed = () => {
      if (version === undefined) throw new AccessError(400, '“version” is missing.');
      return version;
    };
    switch (action) {
      case 'activate':
        return management.activate(remote, needed(), reason);
      case 'rollback':
        return management.rollback(remote, reason, version);
      case 'offer':
        return management.offer(remote, needed(), { percent: percent ?? Number.NaN }, reason);
      case 'end':
        return management.end(remote, reason, audience);
      case 'hold':
        return management.hold(remote, reason);
      case 'lift':
        return management.lift(remote, reason);
    }
  }

  server.register(
    async (app) => {
      app.removeAllContentTypeParsers();
      await app.register(multipart);
      app.addContentTypeParser(
        'application/json',
        { parseAs: 'buffer', bodyLimit: deploymentLimit },
        (_request, body, done) => done(null, body),
      );
      app.setErrorHandler(sendError);
      app.addHook('onRequest', async (_request, reply) => {
        reply.headers({ 'Cache-Control': 'no-store, no-transform', 'X-Robots-Tag': 'noindex' });
      });

      const description = describeApi(options.publicUrl);
      app.get('/openapi.json', () => description);
      app.get('/', async (request) => {
        await identifyCaller(request, undefined, options);
        await live.refresh();
        return {
          remotes: management.remotes.map((remote) => overviewOf(remote, live.current)),
          contract: shellParts,
        };
      });
      app.get('/log', async (request) => {
        await identifyCaller(request, undefined, options);
        await live.refresh();
        return live.current.deployments();
      });
      app.get('/sign-ins', async (request) => {
        await identifyCaller(request, undefined, options);
        return registry.signIns();
      });
      app.get<OfRemote>('/:remote/log', async (request) => {
        const { remote, caller } = await remoteOf(request);
        caller.check('');
        await live.refresh();
        return live.current.deployments(remote);
      });
      app.get<OfRemote>('/:remote', async (request) => {
        const { remote, caller } = await remoteOf(request);
        caller.check('');
        await live.refresh();
        const deployments = live.current.deployments(remote).slice(-10);
        return { ...overviewOf(remote, live.current), deployments, contract: shellParts };
      });

      app.post<OfRemote>('/:remote/deployments', async (request, reply) => {
        const { remote, caller } = await remoteOf(request);
        caller.check((request.body as Buffer | undefined) ?? '');
        const parsed = parse(deploymentSchema, parseJson(request.body));
        await checkTeam(remote, caller, parsed);
        const deployment = await deploy(remote, (caller.isNamed ? undefined : parsed.by) || caller.by, parsed);
        const result = changed(deployment, remote);
        reply.code(201);
        return { ...result, lines: describeDone(deployment, result.overview, result.replaced) };
      });

      app.post<OfRemote>('/:remote/releases', async (request, reply) => {
        const { remote, caller } = await remoteOf(request);
        if (!request.isMultipart()) throw new AccessError(400, 'A release is sent as multipart/form-data.');
        // Before the count in the database is awaited: uploads that begin meanwhile are counted, too.
        uploads += 1;
        try {
          await countUpload(request, remote);
          const published = await publish(request, remote, caller).catch((error: unknown) => {
            if (error instanceof ReleaseRejection) metrics.problems.inc({ remote, reason: error.reason });
            throw error;
          });
          const result = changed(published.deployment, remote);
          const { outcome, release } = published;
          reply.code(outcome === 'deployed' ? 201 : outcome === 'held' ? 409 : 200);
          const lines = describePublication(published, result.overview, result.replaced);
          return { outcome, version: release.version, ...result, lines };
        } finally {
          uploads -= 1;
        }
      });
    },
    { prefix: `${releasesPageAddress}/api` },
  );
}
