import { randomInt } from 'node:crypto';
import { type PublicRegistry, registryAddress } from '@daybook/contract/release';
import type { PreviewedSite, SiteReleases } from '@daybook/releases/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Audience, allowEdgeCache, cacheHeaders, isFresh } from './cache-headers.ts';
import { etagOf } from './page-cache.ts';

/** Cookie that keeps a visitor in the same canary bucket; contains only a number from 0 to 99. */
const bucketCookie = 'bucket';

/** In seconds: 30 days. */
const bucketLifetime = 30 * 24 * 60 * 60;

/** Cookie with the token of a preview's link; until the preview ends. */
const previewCookie = 'preview';

type Cookies = Pick<FastifyRequest, 'cookies' | 'unsignCookie'>;
type CookieReply = Pick<FastifyReply, 'setCookie' | 'clearCookie'>;

/** Returns the visitor's canary bucket, a whole number from 0 to 99; sets the cookie unless the visitor has it. */
function bucketOf({ cookies }: Cookies, reply: CookieReply): number {
  const known = cookies[bucketCookie];
  if (known && /^\d{1,2}$/.test(known)) return Number(known);
  const bucket = randomInt(100);
  reply.setCookie(bucketCookie, String(bucket), { path: '/', maxAge: bucketLifetime, sameSite: 'lax' });
  return bucket;
}

/**
 * Sets the cookie of a preview. Signed: a script of a release could set a cookie, and its visitors would keep the release
 * after its rollback.
 *
 * @param endsAt in ms since the epoch
 */
export const setPreviewCookie = (reply: CookieReply, token: string, endsAt: number) =>
  reply.setCookie(previewCookie, token, { path: '/', expires: new Date(endsAt), sameSite: 'lax', signed: true });

export const leavePreview = (reply: CookieReply) => reply.clearCookie(previewCookie, { path: '/', sameSite: 'lax' });

/** A visitor's releases. */
interface VisitorRegistry {
  readonly registry: PublicRegistry;
  readonly audience: Audience;
  /** The preview that the visitor sees; its release may be missing here. */
  readonly preview?: PreviewedSite;
}

/** Finds the running preview of a link's token, also one that another server has just published. */
export async function findPreview(
  releases: Pick<SiteReleases, 'findPreview' | 'catchUp'>,
  token: string,
): Promise<PreviewedSite | undefined> {
  const found = releases.findPreview(token);
  if (found?.registry) return found;
  await releases.catchUp();
  return releases.findPreview(token);
}

/** Returns the running preview whose link the visitor has opened. */
export async function previewOf(
  request: Cookies,
  releases: Pick<SiteReleases, 'findPreview' | 'catchUp'>,
): Promise<PreviewedSite | undefined> {
  const { valid, value } = request.unsignCookie(request.cookies[previewCookie] ?? '');
  return valid ? findPreview(releases, value) : undefined;
}

/** Chooses the releases for a visitor. Without a canary and a preview, no cookie is set. */
export async function registryFor(
  request: Cookies,
  reply: CookieReply,
  releases: Omit<SiteReleases, 'find'>,
): Promise<VisitorRegistry> {
  const preview = await previewOf(request, releases);
  // Of the other remotes, the active releases: a preview must not change with a canary.
  if (preview) return { registry: preview.registry ?? releases.registry(), audience: 'preview', preview };
  const hadPreview = request.cookies[previewCookie] !== undefined;
  if (hadPreview) leavePreview(reply);
  if (releases.hasCanary()) return { registry: releases.registry(bucketOf(request, reply)), audience: 'visitor' };
  return { registry: releases.registry(), audience: hadPreview ? 'visitor' : 'all' };
}

/** Serves the current registry to pages that have been open for a while. */
export function registerRegistry(app: FastifyInstance, releases: SiteReleases): void {
  app.get(registryAddress, async (request, reply) => {
    const { registry, audience } = await registryFor(request, reply, releases);
    const body = JSON.stringify(registry);
    const etag = etagOf(body);
    reply.headers(cacheHeaders[audience]);
    if (audience !== 'preview') {
      reply.header('ETag', etag);
      if (isFresh(request, etag)) return reply.code(304).send();
    }
    if (audience === 'all') allowEdgeCache(reply);
    return reply.type('application/json; charset=utf-8').send(body);
  });
}
