import { componentsRoute, findRoute, type PageRoute, type Registry, type SiteSettings } from '@daybook/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { reloadScript } from '../development/live-reload.ts';
import type { ReleaseOutcomes } from '../outcomes/release-outcomes.ts';
import { inlineRegistry } from '../releases/register.ts';
import type { SiteReleases } from '../releases/site-releases.ts';
import { acceptedEncoding } from './accepted-encoding.ts';
import { renderDocument } from './document.ts';
import { isKnown } from './etags.ts';
import { PageCache } from './page-cache.ts';
import { plainAddress } from './plain-address.ts';
import type { ShellBuild } from './shell-build.ts';
import { registryFor } from './visitor-registry.ts';

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

/** Seconds after which a page may be there that has no release yet. */
const retryAfter = 10;

/** An unknown path may belong to a remote that has no release yet: nobody shall take it for gone then. */
function statusOf(route: PageRoute | undefined, { missing }: Registry): number {
  if (route) return 200;
  return missing.length > 0 ? 503 : 404;
}

/**
 * Answers every path that is nothing else with a page: 200 where a remote claims the path, 404 otherwise. A page has
 * one address; with slashes too many it is answered with the way there.
 */
export function registerPages(
  app: FastifyInstance,
  { releases, outcomes, shellBuild, settings, publicUrl, development }: PageRoutesOptions,
): void {
  const cache = new PageCache();
  const developmentRoutes = development ? [componentsRoute] : [];

  async function sendPage(request: FastifyRequest<{ Params: { '*': string } }>, reply: FastifyReply) {
    const registry = registryFor(request, reply, releases);
    const manifest = shellBuild.manifest();
    const path = `/${request.params['*']}`;
    const plain = plainAddress(registry, path, request.url);
    if (plain) return reply.redirect(plain, 308);
    const found = findRoute(registry, path);
    const route = found?.route ?? developmentRoutes.find((each) => each.path === path);
    const page = await cache.get(route?.path ?? unknownPath, [registry, manifest], () =>
      renderDocument({
        route,
        manifest,
        publicUrl,
        data: { registry: inlineRegistry(registry, found?.remote.name), settings },
        ...(development ? { reloadScript: reloadScript(registry, manifest) } : {}),
      }),
    );
    reply.code(statusOf(route, registry)).header('ETag', page.etag).type('text/html; charset=utf-8');
    // Fastify answers HEAD by the same route: an uptime check is no visitor.
    if (found && request.method === 'GET') outcomes.countView(found.remote.name, found.remote.version);
    if (reply.statusCode === 503) reply.header('Retry-After', retryAfter);
    if (route && isKnown(page.etag, request.headers['if-none-match'])) return reply.code(304).send();
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
    return reply.send(page.bodies[encoding]);
  }

  app.get('/*', sendPage);
}
