import { createHash } from 'node:crypto';
import {
  componentsRoute,
  findRoute,
  type PageRoute,
  type Registry,
  registryAddress,
  type SiteSettings,
} from '@daybook/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { reloadScriptAddress } from '../development/live-reload.ts';
import type { ReleaseOutcomes } from '../outcomes/release-outcomes.ts';
import { inlineRegistry } from '../releases/register.ts';
import type { SiteReleases } from '../releases/site-releases.ts';
import { acceptedEncoding } from './accepted-encoding.ts';
import { renderDocument } from './document.ts';
import { PageCache } from './page-cache.ts';
import type { ShellBuild } from './shell-build.ts';
import { bucketOf } from './visitor-bucket.ts';

export interface PageRoutesOptions {
  readonly releases: SiteReleases;
  readonly outcomes: ReleaseOutcomes;
  readonly shellBuild: ShellBuild;
  readonly settings: SiteSettings;
  /** The site's origin as visitors know it. */
  readonly publicUrl: string;
  readonly development: boolean;
}

/** Under this name the cache keeps the one page for all unknown paths, so that they can't fill it. */
const unknownPath = '404';

/** Whether a browser or a proxy has this version of a page. */
const isKnown = (etag: string, ifNoneMatch = '') => ifNoneMatch.split(',').some((known) => known.trim() === etag);

/** Seconds after which a page may be there that has no release yet. */
const retryAfter = 10;

/** An unknown path may belong to a remote that has no release yet: nobody shall take it for gone then. */
function statusOf(route: PageRoute | undefined, { missing }: Registry): number {
  if (route) return 200;
  return missing.length > 0 ? 503 : 404;
}

const etags = new WeakMap<Registry, string>();

function etagOf(registry: Registry): string {
  const known = etags.get(registry);
  if (known) return known;
  const etag = `W/"${createHash('sha256').update(JSON.stringify(registry)).digest('base64url').slice(0, 22)}"`;
  etags.set(registry, etag);
  return etag;
}

/** Answers every path that is nothing else with a page: 200 where a remote claims the path, 404 otherwise. */
export function registerPages(
  app: FastifyInstance,
  { releases, outcomes, shellBuild, settings, publicUrl, development }: PageRoutesOptions,
): void {
  const cache = new PageCache();
  const developmentRoutes = development ? [componentsRoute] : [];

  /** The registry for this visitor, with the headers that keep a shared cache from giving it to another. */
  function registryFor(request: FastifyRequest, reply: FastifyReply): Registry {
    const canary = releases.hasCanary();
    reply
      .header('Cache-Control', canary ? 'private, no-cache' : 'no-cache')
      .header('Vary', canary ? 'Accept-Encoding, Cookie' : 'Accept-Encoding');
    return releases.registry(canary ? bucketOf(request, reply) : undefined);
  }

  async function sendPage(request: FastifyRequest<{ Params: { '*': string } }>, reply: FastifyReply) {
    const registry = registryFor(request, reply);
    const manifest = shellBuild.manifest();
    const path = `/${request.params['*']}`;
    const found = findRoute(registry, path);
    const route = found?.route ?? developmentRoutes.find((each) => each.path === path);
    const page = await cache.get(route?.path ?? unknownPath, [registry, manifest], () =>
      renderDocument({
        route,
        manifest,
        publicUrl,
        data: { registry: inlineRegistry(registry, found?.remote.name), settings },
        ...(development ? { reloadScript: reloadScriptAddress(registry, manifest) } : {}),
      }),
    );
    reply.code(statusOf(route, registry)).header('ETag', page.etag).type('text/html; charset=utf-8');
    if (found) outcomes.countView(found.remote.name, found.remote.version);
    if (reply.statusCode === 503) reply.header('Retry-After', retryAfter);
    if (route && isKnown(page.etag, request.headers['if-none-match'])) return reply.code(304).send();
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
    return reply.send(page.bodies[encoding]);
  }

  app.get(registryAddress, (request, reply) => {
    const registry = registryFor(request, reply);
    const etag = etagOf(registry);
    reply.header('ETag', etag);
    if (isKnown(etag, request.headers['if-none-match'])) return reply.code(304).send();
    return reply.send(registry);
  });

  app.get('/*', sendPage);
}
