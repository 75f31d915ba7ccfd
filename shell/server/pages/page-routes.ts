import {
  findRoute,
  missingRemotesRetryAfter,
  type PageRoute,
  type RegisteredRoute,
  type Registry,
  type ShellManifest,
  type SiteSettings,
} from '@daybook/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { reloadScript } from '../development/live-reload.ts';
import type { CanaryAnalysis } from '../outcomes/canary-analysis.ts';
import type { ReleaseOutcomes } from '../outcomes/release-outcomes.ts';
import { inlineRegistry } from '../releases/register.ts';
import type { SiteReleases } from '../releases/site-releases.ts';
import { acceptedEncoding } from './accepted-encoding.ts';
import { PageComposer } from './composition/composed-page.ts';
import { renderDocument } from './document.ts';
import { isKnown } from './etags.ts';
import { PageCache } from './page-cache.ts';
import { plainAddress } from './plain-address.ts';
import type { ShellBuild } from './shell-build.ts';
import { registryFor } from './visitor-registry.ts';

export interface PageRoutesOptions {
  readonly releases: SiteReleases;
  readonly outcomes: ReleaseOutcomes;
  readonly analysis: CanaryAnalysis;
  readonly shellBuild: ShellBuild;
  readonly settings: SiteSettings;
  /** The site's origin as visitors know it. */
  readonly publicUrl: string;
  readonly development: boolean;
  /** Is told of a page that can't be composed, and why, once. */
  readonly onNotComposed: (remote: string | undefined, message: string) => void;
}

/** Under this name the cache keeps the one page for all unknown paths, so that they can't fill it. */
const unknownPath = '404';

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
  { releases, outcomes, analysis, shellBuild, settings, publicUrl, development, onNotComposed }: PageRoutesOptions,
): void {
  const cache = new PageCache();
  const composer = new PageComposer({ releases, shellFolder: shellBuild.folder, settings });
  const told = new Set<string>();

  /** The page as HTML; where that can't be had, it is told why. */
  async function compose(found: RegisteredRoute | undefined, { missing }: Registry, manifest: ShellManifest) {
    const what = found
      ? // Not name@version, which the log would take for an e-mail address.
        `${found.route.path} of ${found.remote.name} ${found.remote.version}`
      : 'The page for an unknown path';
    const tell = (why: string) => {
      const message = `${what} is rendered in the browser: ${why}`;
      // A makeshift page is made again and again; what keeps the good one from being made is told once.
      if (!told.has(message)) onNotComposed(found?.remote.name, message);
      told.add(message);
    };
    try {
      const composed = found
        ? await composer.compose(found, manifest)
        : await composer.composeUnknown(missing, manifest);
      if (composed === 'none') tell('the release has no fragment for it');
      return composed;
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
      return 'failed';
    }
  }

  async function sendPage(request: FastifyRequest<{ Params: { '*': string } }>, reply: FastifyReply) {
    const { registry, nonce } = registryFor(request, reply, releases, analysis);
    const manifest = shellBuild.manifest();
    const path = `/${request.params['*']}`;
    const plain = plainAddress(registry, path, request.url);
    if (plain) return reply.redirect(plain, 308);
    const found = findRoute(registry, path);
    const route = found?.route;
    const page = await cache.get(route?.path ?? unknownPath, [registry, manifest], async () =>
      renderDocument({
        route,
        manifest,
        publicUrl,
        data: { registry: inlineRegistry(registry, found?.remote.name), settings },
        composed: found || !route ? await compose(found, registry, manifest) : 'none',
        ...(development ? { reloadScript: reloadScript(registry, manifest) } : {}),
      }),
    );
    reply.code(statusOf(route, registry)).header('ETag', page.etag).type('text/html; charset=utf-8');
    reply.header('Content-Security-Policy', page.policy);
    // Fastify answers HEAD by the same route: an uptime check is no visitor.
    if (request.method === 'GET' && found) {
      const { name, version } = found.remote;
      outcomes.countView(name, version);
      if (nonce) analysis.countView(name, version, nonce);
    }
    if (reply.statusCode === 503) reply.header('Retry-After', missingRemotesRetryAfter);
    if (route && isKnown(page.etag, request.headers['if-none-match'])) return reply.code(304).send();
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
    return reply.send(page.bodies[encoding]);
  }

  app.get('/*', sendPage);
}
