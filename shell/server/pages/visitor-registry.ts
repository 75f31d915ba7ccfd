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

/** A visitor's releases, and the matching response headers. */
export interface VisitorRegistry {
  readonly registry: Registry;
  /** Lets this visitor's views and failures count for and against a canary; only while one runs. */
  readonly nonce?: ReportNonce;
  /** Decides whether the visitor gets canaries; only while one runs. */
  readonly bucket?: string;
  /** Prevent shared caches from serving the response to another visitor. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Chooses the releases for a visitor. While a canary runs, the response carries a nonce for reports in `Server-Timing`,
 * the only header that a page's scripts can read.
 */
export function chooseRegistry(
  { ip, cookies }: Pick<FastifyRequest, 'ip' | 'cookies'>,
  releases: SiteReleases,
  analysis: CanaryAnalysis,
): VisitorRegistry {
  if (!releases.hasCanary())
    return { registry: releases.registry(), headers: { 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' } };
  const known = cookies[bucketCookie];
  const bucket = known && /^\d{1,2}$/.test(known) ? known : String(randomInt(100));
  const registry = releases.registry(Number(bucket));
  const compared = registry.remotes.filter(({ name }) => analysis.countsOf(name));
  const { nonce, text } = analysis.nonces.issue(
    ip,
    compared.map(({ name, version }) => `${name}@${version}`),
  );
  const headers = {
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept-Encoding, Cookie',
    'Server-Timing': `${reportNonceName};desc="${text}"`,
  };
  return { registry, nonce, bucket, headers };
}

/** Sets the headers, and the cookie if the visitor has none yet; without a canary, no cookie is set. */
export function setVisitorHeaders(
  { cookies }: FastifyRequest,
  reply: FastifyReply,
  { headers, bucket }: VisitorRegistry,
): void {
  reply.headers(headers);
  if (bucket !== undefined && cookies[bucketCookie] !== bucket)
    reply.setCookie(bucketCookie, bucket, { path: '/', maxAge: bucketLifetime, sameSite: 'lax' });
}

/**
 * Lets the edge cache a 200 response for all visitors until the end of the current second; not while a canary runs. An
 * absolute time, because nginx extends a relative one of 1 s to up to 2 s.
 */
export function allowEdgeCache(reply: FastifyReply, { bucket }: VisitorRegistry): void {
  if (bucket === undefined) reply.header('X-Accel-Expires', `@${Math.floor(Date.now() / 1000)}`);
}

/** Returns whether the client has this content already, so that the response is a 304. */
export const isFresh = (request: FastifyRequest, etag: string) =>
  request.headers['if-none-match'] !== undefined && fresh(request.headers, { etag });

/** Serves the current registry to pages that have been open for a while. */
export function registerRegistry(app: FastifyInstance, releases: SiteReleases, analysis: CanaryAnalysis): void {
  app.get(registryAddress, (request, reply) => {
    const visitor = chooseRegistry(request, releases, analysis);
    setVisitorHeaders(request, reply, visitor);
    const body = JSON.stringify(visitor.registry);
    const etag = etagOf(body);
    reply.header('ETag', etag);
    if (isFresh(request, etag)) return reply.code(304).send();
    allowEdgeCache(reply, visitor);
    return reply.type('application/json; charset=utf-8').send(body);
  });
}
