import { componentsRoute, findRoute, type SiteSettings } from '@daybook/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { reloadScript } from '../development/live-reload.ts';
import type { ActiveReleases } from '../releases/active-releases.ts';
import { acceptedEncoding } from './accepted-encoding.ts';
import { renderDocument } from './document.ts';
import { isKnown } from './etags.ts';
import { inlinedRegistry } from './inlined-registry.ts';
import { PageCache } from './page-cache.ts';
import type { ShellBuild } from './shell-build.ts';

export interface PageRoutesOptions {
  readonly releases: ActiveReleases;
  readonly shellBuild: ShellBuild;
  readonly settings: SiteSettings;
  /** The site's origin as visitors know it. */
  readonly publicUrl: string;
  readonly development: boolean;
}

/** Under this name the cache keeps the one page for all unknown paths, so that they can't fill it. */
const unknownPath = '404';

/** Answers every path that is nothing else with a page: 200 where a remote claims the path, 404 otherwise. */
export function registerPages(
  app: FastifyInstance,
  { releases, shellBuild, settings, publicUrl, development }: PageRoutesOptions,
): void {
  const cache = new PageCache();
  const developmentRoutes = development ? [componentsRoute] : [];

  async function sendPage(request: FastifyRequest<{ Params: { '*': string } }>, reply: FastifyReply) {
    const registry = releases.registry();
    const manifest = shellBuild.manifest();
    const path = `/${request.params['*']}`;
    const registered = findRoute(registry, path);
    const route = registered?.route ?? developmentRoutes.find((each) => each.path === path);
    const page = await cache.get(route?.path ?? unknownPath, [registry, manifest], () =>
      renderDocument({
        route,
        manifest,
        publicUrl,
        data: { registry: inlinedRegistry(registry, registered?.remote.name), settings },
        ...(development ? { reloadScript: reloadScript(registry, manifest) } : {}),
      }),
    );
    reply
      .code(route ? 200 : 404)
      .header('Cache-Control', 'no-cache')
      .header('Vary', 'Accept-Encoding')
      .header('ETag', page.etag)
      .type('text/html; charset=utf-8');
    if (route && isKnown(page.etag, request.headers['if-none-match'])) return reply.code(304).send();
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
    return reply.send(page.bodies[encoding]);
  }

  app.get('/*', sendPage);
}
