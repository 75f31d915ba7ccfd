import { shellParts } from '@daybook/contract/parts';
import { ReleaseRejection, verifyRelease } from '@daybook/releases';
import {
  type Deployment,
  deploymentTexts,
  type Offer,
  overviewOf,
  publicationTexts,
  publishRelease,
  type ReleaseManagement,
  replacedBy,
} from '@daybook/releases/server';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '../metrics.ts';
import { releasesApiUrl } from '../operator/releases-urls.ts';
import type { SiteRegistry } from '../registry/site-registry.ts';
import { RequestError } from '../request-error.ts';
import { type Caller, type CallerOptions, checkTeam, identifyCaller } from './caller.ts';
import { parse, parseJson, sendError } from './errors.ts';
import { abortedBy, lengthOf, readUpload } from './read-upload.ts';
import { deploymentSchema, openApiDocument, publicationSchema } from './releases-api-description.ts';
import { Uploads } from './uploads.ts';

/** Bytes; about ten times the largest deployment. */
const deploymentLimit = 10_000;

/** In ms. */
const previewLength = 7 * 24 * 60 * 60_000;

interface ReleasesApiOptions extends CallerOptions {
  readonly management: ReleaseManagement;
  readonly registry: SiteRegistry;
  readonly metrics: Pick<Metrics, 'problems'>;
}

type OfRemote = { readonly Params: { readonly remote: string }; readonly Querystring: object };

/**
 * Serves the API of releases, for operators' tokens and requests that a team has signed: teams push releases, and both
 * make deployments. Responses are JSON; those to a change describe what visitors get now.
 */
export function registerReleasesApi(server: FastifyInstance, options: ReleasesApiOptions): void {
  server.register(
    async (app) => {
      await registerBodies(app);
      app.setErrorHandler(sendError);
      app.addHook('onRequest', async (_request, reply) => {
        reply.headers({ 'Cache-Control': 'no-store, no-transform', 'X-Robots-Tag': 'noindex' });
      });

      const description = openApiDocument(options.publicUrl);
      app.get('/openapi.json', () => description);
      registerSiteReads(app, options);
      registerRemoteReads(app, options);
      registerDeployments(app, options);
      registerPublications(app, options);
    },
    { prefix: releasesApiUrl },
  );
}

/** Accepts JSON as it was sent, which is what a team has signed, and releases as multipart. */
async function registerBodies(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers();
  await app.register(multipart);
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: deploymentLimit },
    (_request, body, done) => done(null, body),
  );
}

/** Registers what operators read of the whole site. */
function registerSiteReads(app: FastifyInstance, options: ReleasesApiOptions): void {
  const { management, registry } = options;
  const { live } = management;
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
}

/** Registers what operators and its team read of a remote. */
function registerRemoteReads(app: FastifyInstance, options: ReleasesApiOptions): void {
  const { live } = options.management;
  app.get<OfRemote>('/:remote/log', async (request) => {
    const { remote, caller } = await identifyFor(request, options);
    caller.check('');
    await live.refresh();
    return live.current.deployments(remote);
  });
  app.get<OfRemote>('/:remote', async (request) => {
    const { remote, caller } = await identifyFor(request, options);
    caller.check('');
    await live.refresh();
    const deployments = live.current.deployments(remote).slice(-10);
    return { ...overviewOf(remote, live.current), deployments, contract: shellParts };
  });
}

function registerDeployments(app: FastifyInstance, options: ReleasesApiOptions): void {
  const { management } = options;
  app.post<OfRemote>('/:remote/deployments', async (request, reply) => {
    const { remote, caller } = await identifyFor(request, options);
    caller.check((request.body as Buffer | undefined) ?? '');
    const parsed = parse(deploymentSchema, parseJson(request.body));
    await checkTeam(management.live, remote, caller, parsed);
    const { by = caller.by, why, seen } = parsed;
    const decision = { by: caller.isNamed ? caller.by : by, why, seen };
    const deployment = await management.deploy(remote, parsed, decision);
    const result = resultOf(deployment, remote, management);
    reply.code(201);
    return { ...result, lines: deploymentTexts(deployment, result.overview, result.replaced) };
  });
}

function registerPublications(app: FastifyInstance, options: ReleasesApiOptions): void {
  const { management, registry, metrics } = options;
  const uploads = new Uploads(registry);
  app.post<OfRemote>('/:remote/releases', async (request, reply) => {
    const { remote, caller } = await identifyFor(request, options);
    if (!request.isMultipart()) throw new RequestError(400, 'A release is sent as multipart/form-data.');
    const length = lengthOf(request);
    const published = await uploads
      .admit(remote, caller.isTeam, length, () => publish(request, remote, caller, length, options))
      .catch((error: unknown) => {
        if (error instanceof ReleaseRejection) metrics.problems.inc({ remote, reason: error.reason });
        throw error;
      });
    const result = resultOf(published.deployment, remote, management);
    const { outcome, release } = published;
    reply.code(outcome === 'deployed' ? 201 : outcome === 'held' ? 409 : 200);
    const lines = publicationTexts(published, result.overview, result.replaced);
    return { outcome, version: release.version, ...result, lines };
  });
}

/** Identifies the caller of a request about a remote that the site has. */
async function identifyFor(request: FastifyRequest<OfRemote>, options: ReleasesApiOptions) {
  const { teamKeys, management } = options;
  const { remote } = request.params;
  const caller = await identifyCaller(request, remote, options);
  if (!teamKeys.remotes().includes(remote)) teamKeys.refresh((problem) => request.log.error(problem));
  management.checkKnown(remote);
  return { remote, caller };
}

/** Returns what a change did, and what visitors get now. */
const resultOf = (deployment: Deployment | undefined, remote: string, { live }: ReleaseManagement) => ({
  deployment,
  overview: overviewOf(remote, live.current),
  replaced: deployment && replacedBy(deployment, live.current),
});

/** Receives a release, verifies it, and publishes it. */
async function publish(
  request: FastifyRequest<OfRemote>,
  remote: string,
  caller: Caller,
  length: number,
  { management, teamKeys }: ReleasesApiOptions,
) {
  const { percent, preview, why, base } = parse(publicationSchema, request.query);
  const offers: readonly (Offer | undefined)[] = [
    percent === undefined ? undefined : { percent },
    preview === undefined
      ? undefined
      : { tokenHash: preview, endsAt: new Date(Date.now() + previewLength).toISOString() },
  ];
  const [offer, another] = offers.filter((each) => each !== undefined);
  if (another) throw new RequestError(400, 'A release is published as a canary or as a preview, not as both.');
  const signal = abortedBy(request, length);
  return management.live.files.inTemporary(async (folder) => {
    const sent = await readUpload(request, folder, signal);
    await verifyRelease(sent.manifest, sent.signature, remote, teamKeys.keysOf(remote));
    caller.check(sent.manifest);
    return publishRelease(management, { ...sent, remote, offer, decision: { by: caller.by, why, base } }, signal);
  });
}
