import { randomInt } from 'node:crypto';
import { type RemoteIndex, remoteIndexUrl } from '@daybook/contract/release';
import type { SiteReleases } from '@daybook/releases/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasPreviewCookie, leavePreview, previewHeaders, previewOf } from '../preview/preview.ts';
import { renderPreviewBar } from '../preview/preview-bar.ts';
import { allowEdgeCache, cacheHeaders, isFresh } from './cache-headers.ts';
import type { Banner } from './document.ts';
import { etagOf } from './page-cache.ts';

/** Cookie that keeps a visitor in the same canary bucket; contains only a number from 0 to 99. */
const bucketCookie = 'bucket';

/** In seconds: 30 days. */
const bucketLifetime = 30 * 24 * 60 * 60;

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

/** A visitor's releases. */
interface VisitorIndex {
  readonly index: RemoteIndex;
  /** Headers of each response that depends on it. */
  readonly headers: Readonly<Record<string, string>>;
  /** What each page begins with; the pages with one are no published ones, which are revalidated and counted. */
  readonly banner?: Banner;
}

/** Chooses the releases for a visitor. Without a canary and a preview, no cookie is set. */
export async function indexFor(
  request: Cookies,
  reply: CookieReply,
  releases: Omit<SiteReleases, 'find'>,
): Promise<VisitorIndex> {
  const preview = await previewOf(request, releases);
  if (preview) {
    // Of the other remotes, the active releases: a preview must not change with a canary.
    const index = preview.index ?? releases.remoteIndex();
    return { index, headers: previewHeaders, banner: renderPreviewBar(preview) };
  }
  const hadPreview = hasPreviewCookie(request);
  if (hadPreview) leavePreview(reply);
  if (releases.hasCanary())
    return { index: releases.remoteIndex(bucketOf(request, reply)), headers: cacheHeaders.visitor };
  return { index: releases.remoteIndex(), headers: hadPreview ? cacheHeaders.visitor : cacheHeaders.all };
}

/** Serves the current remote index to pages that have been open for a while. */
export function registerRemoteIndex(app: FastifyInstance, releases: SiteReleases): void {
  app.get(remoteIndexUrl, async (request, reply) => {
    const { index, headers, banner } = await indexFor(request, reply, releases);
    const body = JSON.stringify(index);
    const etag = etagOf(body);
    reply.headers(headers);
    if (!banner) {
      reply.header('ETag', etag);
      if (isFresh(request, etag)) return reply.code(304).send();
    }
    if (headers === cacheHeaders.all) allowEdgeCache(reply);
    return reply.type('application/json; charset=utf-8').send(body);
  });
}
