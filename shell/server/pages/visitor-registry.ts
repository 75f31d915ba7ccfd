import { randomInt } from 'node:crypto';
import { reportNonceName } from '@daybook/contract/page';
import { type Registry, registryAddress } from '@daybook/contract/release';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';
import type { CanaryAnalysis } from '../outcomes/canary-analysis.ts';
import type { ReportNonce } from '../outcomes/report-nonces.ts';
import type { SiteReleases } from '../releases/site-releases.ts';
import { etagOf } from './page-cache.ts';

/** Cookie that keeps a visitor in the same canary bucket; contains only a number from 0 to 99. */
const bucketCookie = 'bucket';

/** In seconds: 30 days. */
const bucketLifetime = 30 * 24 * 60 * 60;

/** A visitor's releases. */
export interface VisitorRegistry {
  readonly registry: Registry;
  /** Lets this visitor's views and failures count for and against a canary; only while one runs. */
  readonly nonce?: ReportNonce;
}

/**
 * Chooses the releases for a visitor, and sets the headers that prevent shared caches from serving the response to
 * another one and from changing it: pages are hydrated, and their policy has hashes of their scripts. While a canary runs, the response carries the visitor's bucket in a cookie, unless the visitor has it, and
 * a nonce for reports in `Server-Timing`, the only header that a page's scripts can read. Without a canary, no cookie is
 * set.
 */
export function chooseRegistry(
  { ip, cookies }: Pick<FastifyRequest, 'ip' | 'cookies'>,
  reply: Pick<FastifyReply, 'headers' | 'setCookie'>,
  releases: SiteReleases,
  analysis: CanaryAnalysis,
): VisitorRegistry {
  if (!releases.hasCanary()) {
    reply.headers({ 'Cache-Control': 'no-cache, no-transform', Vary: 'Accept-Encoding' });
    return { registry: releases.registry() };
  }
  const known = cookies[bucketCookie];
  const bucket = known && /^\d{1,2}$/.test(known) ? known : String(randomInt(100));
  if (bucket !== known) reply.setCookie(bucketCookie, bucket, { path: '/', maxAge: bucketLifetime, sameSite: 'lax' });
  const registry = releases.registry(Number(bucket));
  const compared = registry.remotes.filter(({ name }) => analysis.countsOf(name));
  const { nonce, text } = analysis.nonces.issue(
    ip,
    compared.map(({ name, version }) => `${name}@${version}`),
  );
  reply.headers({
    'Cache-Control': 'private, no-cache, no-transform',
    Vary: 'Accept-Encoding, Cookie',
    'Server-Timing': `${reportNonceName};desc="${text}"`,
  });
  return { registry, nonce };
}

/**
 * Lets the edge cache a 200 response for all visitors until the end of the current second; not while a canary runs. An
 * absolute time, because nginx extends a relative one of 1 s to up to 2 s.
 */
export function allowEdgeCache(reply: FastifyReply, { nonce }: VisitorRegistry): void {
  if (!nonce) reply.header('X-Accel-Expires', `@${Math.floor(Date.now() / 1000)}`);
}

/** Returns whether the client has this content already, so that the response is a 304. */
export const isFresh = (request: FastifyRequest, etag: string) =>
  request.headers['if-none-match'] !== undefined && fresh(request.headers, { etag });

/** Serves the current registry to pages that have been open for a while. */
export function registerRegistry(app: FastifyInstance, releases: SiteReleases, analysis: CanaryAnalysis): void {
  app.get(registryAddress, (request, reply) => {
    const visitor = chooseRegistry(request, reply, releases, analysis);
    const body = JSON.stringify(visitor.registry);
    const etag = etagOf(body);
    reply.header('ETag', etag);
    if (isFresh(request, etag)) return reply.code(304).send();
    allowEdgeCache(reply, visitor);
    return reply.type('application/json; charset=utf-8').send(body);
  });
}
