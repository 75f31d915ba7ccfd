import { type PublicRegistry, registryAddress } from '@daybook/contract/release';
import type { PreviewedSite, ServedReleases } from '@daybook/releases/server';
import type { FastifyInstance } from 'fastify';
import { type Audience, allowEdgeCache, cacheHeaders, isFresh } from './cache-headers.ts';
import { etagOf } from './page-cache.ts';
import { bucketOf, type CookieReply, type Cookies, leavePreview, previewTokenOf } from './visitor-cookies.ts';

/** A visitor's releases. */
interface VisitorRegistry {
  readonly registry: PublicRegistry;
  readonly audience: Audience;
  /** The preview that the visitor sees; its release may be missing here. */
  readonly preview?: PreviewedSite;
}

/** Returns the running preview whose link the visitor has opened. */
export async function previewOf(
  request: Cookies,
  releases: Pick<ServedReleases, 'findPreview'>,
): Promise<PreviewedSite | undefined> {
  const token = previewTokenOf(request);
  return token === undefined ? undefined : releases.findPreview(token);
}

/** Chooses the releases for a visitor. Without a canary and a preview, no cookie is set. */
export async function registryFor(
  request: Cookies,
  reply: CookieReply,
  releases: Pick<ServedReleases, 'registry' | 'hasCanary' | 'findPreview'>,
): Promise<VisitorRegistry> {
  const preview = await previewOf(request, releases);
  // Of the other remotes, the active releases: a preview must not change with a canary.
  if (preview) return { registry: preview.registry ?? releases.registry(), audience: 'preview', preview };
  const hadPreview = previewTokenOf(request) !== undefined;
  if (hadPreview) leavePreview(reply);
  if (releases.hasCanary()) return { registry: releases.registry(bucketOf(request, reply)), audience: 'visitor' };
  return { registry: releases.registry(), audience: hadPreview ? 'visitor' : 'all' };
}

/** Serves the current registry to pages that have been open for a while. */
export function registerRegistry(app: FastifyInstance, releases: ServedReleases): void {
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
