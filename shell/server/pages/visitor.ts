import { randomInt } from 'node:crypto';
import { type RemoteIndex, remoteIndexUrl } from '@daybook/contract/release';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LiveSite } from '../releases/live-site.ts';
import { allowEdgeCache, cacheHeaders, etagOf, isFresh } from './cache-headers.ts';
import type { Banner } from './document.ts';
import { cookieValues, hasPreviewCookie, leavePreview, previewBar, previewHeaders, previewOf } from './preview.ts';

/** A number from 0 to 99, for the share of a canary. */
const bucketCookie = 'bucket';

const bucketLifetime = 30 * 24 * 60 * 60;

type Reply = Pick<FastifyReply, 'setCookie' | 'clearCookie'>;

function bucketOf(request: FastifyRequest, reply: Reply): number {
  const known = cookieValues(request, bucketCookie).find((value) => /^\d{1,2}$/.test(value));
  if (known) return Number(known);
  const bucket = randomInt(100);
  reply.setCookie(bucketCookie, String(bucket), { path: '/', maxAge: bucketLifetime, sameSite: 'lax' });
  return bucket;
}

interface Visitor {
  readonly index: RemoteIndex;
  readonly headers: Readonly<Record<string, string>>;
  readonly banner?: Banner;
}

/** Sets no cookie without a canary or preview. */
export async function visitorOf(request: FastifyRequest, reply: Reply, live: LiveSite): Promise<Visitor> {
  const hadPreview = hasPreviewCookie(request);
  const preview = hadPreview ? await previewOf(request, live) : undefined;
  const { site } = live;
  if (preview?.preview) {
    const isActive = site.remotes.some(({ name, state }) => `${name}@${state?.active}` === preview.preview);
    return { index: preview, headers: previewHeaders, banner: previewBar(preview.preview, isActive) };
  }
  if (hadPreview) leavePreview(reply);
  if (site.hasCanary) return { index: site.index(bucketOf(request, reply)), headers: cacheHeaders.visitor };
  return { index: site.index(), headers: hadPreview ? cacheHeaders.visitor : cacheHeaders.all };
}

export function registerRemoteIndex(app: FastifyInstance, live: LiveSite): void {
  app.get(remoteIndexUrl, async (request, reply) => {
    const { index, headers, banner } = await visitorOf(request, reply, live);
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
