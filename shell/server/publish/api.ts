import { once } from 'node:events';
import { ManifestError } from '@daybook/contract/manifest';
import {
  apiNumber,
  changeSchema,
  publicationSchema,
  type Remote,
  releasesApiUrl,
  type StoredRelease,
} from '@daybook/contract/release';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Counts } from '../counts.ts';
import type { Metrics } from '../metrics.ts';
import type { Blobs } from '../releases/blobs.ts';
import type { LiveSite } from '../releases/live-site.ts';
import type { Site } from '../releases/site.ts';
import type { Store } from '../releases/store.ts';
import type { StoreChange } from '../releases/store-change.ts';
import type { Callers } from './caller.ts';
import { makeChange, rollbackTargets } from './change.ts';
import { parse, ReleasesError, sendError } from './errors.ts';
import { checkLength, publishRelease, readRelease } from './publish.ts';
import type { TokenHolder } from './tokens.ts';

/** Uploads of one token at once. */
const maxUploads = 2;

interface ReleasesApiOptions {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly live: LiveSite;
  readonly callers: Callers;
  readonly counts: Counts;
  readonly metrics: Pick<Metrics, 'problems'>;
  readonly retained: number;
}

type OfRemote = { readonly Params: { readonly remote: string } };

/** Describes a remote, for commands and the operators' page. */
export function describeRemote(name: string, site: Site, counts: Counts): Remote {
  const { state, releases = [], former = [], rolledBack } = site.remote(name) ?? {};
  const statusOf = (version: string): StoredRelease['status'] => {
    if (version === state?.active) return 'active';
    if (version === state?.canary) return 'canary';
    if (rolledBack?.has(version)) return 'rolled back';
    return version === former[0] ? 'previous' : 'stored';
  };
  return {
    remote: name,
    state: state ?? null,
    previous: former[0] ?? null,
    releases: releases.map(({ version, storedAt, release: { commit, author, routes, files } }) => ({
      ...{ version, status: statusOf(version), commit, author, storedAt },
      files: Object.keys(files).length,
      size: Object.values(files).reduce((sum, { size }) => sum + size, 0),
      paths: routes.map(({ path }) => path),
      ...counts.of(name, version),
    })),
    countedSince: counts.since,
    api: apiNumber,
  };
}

export function registerReleasesApi(
  server: FastifyInstance,
  { store, blobs, live, callers, counts, metrics, retained }: ReleasesApiOptions,
): void {
  const identifyFor = async (request: FastifyRequest<OfRemote>) => {
    const holder = await callers.identify(request);
    callers.check(holder, request.params.remote);
    return holder;
  };

  server.register(
    async (app) => {
      app.removeAllContentTypeParsers();
      await app.register(multipart);
      app.addContentTypeParser(
        'application/json',
        { parseAs: 'string', bodyLimit: 10_000 },
        app.getDefaultJsonParser('error', 'error'),
      );
      app.setErrorHandler(sendError);
      app.addHook('onRequest', async (_request, reply) => {
        reply.headers({ 'Cache-Control': 'no-store, no-transform', 'X-Robots-Tag': 'noindex' });
      });
      readRestOfReleases(app);
      const [limitChanges, limitReleases] = [hourlyLimit(app, 'changes', 100), hourlyLimit(app, 'releases', 60)];

      app.get('/', async (request) => {
        const remotes = callers.remotesOf(await callers.identify(request));
        await live.read();
        return { remotes: remotes.map((remote) => describeRemote(remote, live.latest, counts)) };
      });
      app.get('/log', async (request) => ({
        rows: await store.log(callers.remotesOf(await callers.identify(request))),
      }));
      app.get<OfRemote>('/:remote', async (request) => {
        await identifyFor(request);
        await live.read();
        return describeRemote(request.params.remote, live.latest, counts);
      });
      app.get<OfRemote>('/:remote/log', async (request) => {
        await identifyFor(request);
        return { rows: await store.log([request.params.remote]) };
      });
      app.post('/changes', async (request, reply) => {
        const holder = await callers.identify(request);
        const asked = parse(changeSchema, request.body);
        const remotes =
          asked.action === 'activate' ? asked.releases.map((each) => each.split('@')[0] ?? '') : [asked.remote];
        for (const remote of remotes) callers.check(holder, remote);
        await limitChanges(request, holder);
        const changed = await store.change((change) => makeChange(change, asked, holder));
        await live.refresh(remotes).catch(() => undefined);
        reply.code(201);
        return changed;
      });

      const inProgress = new Map<string, number>();
      app.post<OfRemote>('/:remote/releases', async (request, reply) => {
        const holder = await identifyFor(request);
        const { remote } = request.params;
        if (!request.isMultipart()) throw new ReleasesError(400, 'A release is sent as multipart/form-data.');
        checkLength(request);
        const asked = parse(publicationSchema, request.query);
        const count = inProgress.get(holder.name) ?? 0;
        if (count >= maxUploads)
          throw new ReleasesError(429, `This server receives ${maxUploads} releases of a token at once.`, 5);
        inProgress.set(holder.name, count + 1);
        try {
          await limitReleases(request, holder);
          const sent = await readRelease(request, remote);
          const { published, hasChanged } = await publishRelease({ store, blobs }, sent, asked, holder);
          // The change is made: from here on nothing may fail.
          await live.refresh([remote]).catch(() => undefined);
          const previous = async (change: StoreChange) => (await rollbackTargets(change, remote)).slice(0, 1);
          await store.removeOld(remote, retained, previous).catch(() => undefined);
          reply.code(hasChanged ? 201 : 200);
          return published;
        } catch (error) {
          if (error instanceof ManifestError || (error as ReleasesError).statusCode === 422)
            metrics.problems.inc({ remote, reason: 'rejected' });
          throw error;
        } finally {
          inProgress.set(holder.name, (inProgress.get(holder.name) ?? 1) - 1);
        }
      });
    },
    { prefix: releasesApiUrl },
  );
}

/** A proxy that is still sending a rejected release would lose the response. */
function readRestOfReleases(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    if (raw.complete) return done();
    reply.header('Connection', 'keep-alive');
    const ended = Promise.all([once(raw.resume(), 'end'), once(reply.raw, 'finish')]);
    ended.then(
      () => raw.socket.destroySoon(),
      () => undefined,
    );
    done();
  });
}

/** Returns a function that throws once a team's token asks for too much in an hour. */
function hourlyLimit(app: FastifyInstance, what: string, max: number) {
  const names = new WeakMap<FastifyRequest, string>();
  const keyGenerator = (request: FastifyRequest) => names.get(request) ?? '';
  const limit = app.createRateLimit({ max, timeWindow: '1 hour', keyGenerator });
  return async (request: FastifyRequest, { name, remotes }: TokenHolder): Promise<void> => {
    if (remotes === '*') return;
    names.set(request, name);
    const count = await limit(request);
    if (count.isAllowed || !count.isExceeded) return;
    const again = new Date(Date.now() + count.ttl).toISOString().slice(11, 16);
    const message = `Limit reached: ${max} ${what} an hour. Retry after ${again} UTC.`;
    throw new ReleasesError(429, message, count.ttlInSeconds);
  };
}
