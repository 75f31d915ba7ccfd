import { randomInt } from 'node:crypto';
import { type Registry, registryAddress } from '@daybook/contract/release';
import type { SiteReleases } from '@daybook/releases/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { allowEdgeCache, isFresh, setCacheHeaders } from './cache-headers.ts';
import { etagOf } from './page-cache.ts';

/** Cookie that keeps a visitor in the same canary bucket; contains only a number from 0 to 99. */
const bucketCookie = 'bucket';

/** In seconds: 30 days. */
const bucketLifetime = 30 * 24 * 60 * 60;

/** A visitor's releases. */
export interface VisitorRegistry {
  readonly registry: Registry;
  /** Whether all visitors get these releases; `false` while a canary runs. */
  readonly isForAll: boolean;
}

type Cookies = Pick<FastifyRequest, 'cookies'>;
type CookieReply = Pick<FastifyReply, 'setCookie'>;

/** Returns the visitor's canary bucket, a whole number from 0 to 99; sets the cookie unless the visitor has it. */
function bucketOf({ cookies }: Cookies, reply: CookieReply): number {
  const known = cookies[bucketCookie];
  if (known && /^\d{1,2}$/.test(known)) return Number(known);
  const bucket = randomInt(100);
  reply.setCookie(bucketCookie, String(bucket), { path: '/', maxAge: bucketLifetime, sameSite: 'lax' });
  return bucket;
}

/** Chooses the releases for a visitor. Without a canary, no cookie is read or set. */
export function registryFor(
  request: Cookies,
  reply: CookieReply,
  releases: Pick<SiteReleases, 'registry' | 'hasCanary'>,
): VisitorRegistry {
  if (!releases.hasCanary()) return { registry: releases.registry(), isForAll: true };
  return { registry: releases.registry(bucketOf(request, reply)), isForAll: false };
}

/** Serves the current registry to pages that have been open for a while. */
export function registerRegistry(app: FastifyInstance, releases: SiteReleases): void {
  app.get(registryAddress, (request, reply) => {
    const { registry, isForAll } = registryFor(request, reply, releases);
    const body = JSON.stringify(registry);
    const etag = etagOf(body);
    setCacheHeaders(reply, isForAll);
    reply.header('ETag', etag);
    if (isFresh(request, etag)) return reply.code(304).send();
    if (isForAll) allowEdgeCache(reply);
    return reply.type('application/json; charset=utf-8').send(body);
  });
}
