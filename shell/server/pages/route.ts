import { missingRemotesRetryAfter } from '@daybook/contract/page';
import {
  findRoute,
  type RegisteredPage,
  type RegisteredRoute,
  type RemoteIndex,
  redirectOf,
} from '@daybook/contract/release';
import type { ShellManifest } from '@daybook/contract/server';
import type { SiteSettings } from '@daybook/contract/site';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Counts } from '../counts.ts';
import type { Metrics } from '../metrics.ts';
import type { Blobs } from '../releases/blobs.ts';
import type { LiveSite } from '../releases/live-site.ts';
import { inlineIndex } from '../releases/remote-index.ts';
import { PageCache } from './cache.ts';
import { allowEdgeCache, cacheHeaders, isFresh } from './cache-headers.ts';
import { type NamedFile, PageComposer } from './compose.ts';
import { acceptedEncoding } from './compression.ts';
import { type Banner, renderDocument } from './document.ts';
import type { ShellBuild } from './shell-build.ts';
import { visitorOf } from './visitor.ts';

/** Extra slashes and former paths. A route's own path begins with one slash, so it can't lead to another host. */
function redirectFor(index: RemoteIndex, path: string, url: string) {
  const plain = `/${path.split('/').filter(Boolean).join('/')}`;
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  const moved = redirectOf(index, plain);
  if (moved !== undefined) return { url: moved + query, status: 301 };
  const found = plain === path ? undefined : findRoute(index, plain);
  return found && { url: found.route.path + query, status: 308 };
}

interface PageRoutesOptions {
  readonly live: LiveSite;
  readonly blobs: Blobs;
  readonly counts: Pick<Counts, 'countView'>;
  readonly metrics: Pick<Metrics, 'problems'>;
  readonly shellBuild: ShellBuild;
  readonly settings: SiteSettings;
  readonly publicUrl: string;
  readonly reloadScript?: ((index: RemoteIndex, manifest: ShellManifest) => NamedFile) | undefined;
}

/** One cache key for all unknown paths, so that they can't fill the cache. */
const unknownPath = '404';

/** 503 while a remote has no release yet: a 404 would mean that its page is gone. */
function statusOf(route: RegisteredPage | undefined, { missing }: RemoteIndex): number {
  if (route) return 200;
  return missing.length > 0 ? 503 : 404;
}

export function registerPages(app: FastifyInstance, options: PageRoutesOptions): void {
  const { live, counts } = options;
  const pageOf = cachedPages(app.log, options);

  app.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
    const { index, headers, banner } = await visitorOf(request, reply, live);
    reply.headers(headers);
    const path = `/${request.params['*']}`;
    const redirect = redirectFor(index, path, request.url);
    if (redirect) return reply.redirect(redirect.url, redirect.status);
    const found = findRoute(index, path);
    const page = await pageOf(found, index, banner);
    reply.code(statusOf(found?.route, index)).type('text/html; charset=utf-8');
    reply.header('Content-Security-Policy', page.policy);
    if (!banner) reply.header('ETag', page.etag);
    // HEAD, as of an uptime check, is no view.
    if (request.method === 'GET' && found && !banner) counts.countView(found.remote.name, found.remote.version);
    if (reply.statusCode === 503) reply.header('Retry-After', missingRemotesRetryAfter);
    if (found && !banner && isFresh(request, page.etag)) return reply.code(304).send();
    if (found && headers === cacheHeaders.all) allowEdgeCache(reply);
    const { encoding, content } = await page.body.in(acceptedEncoding(request.headers['accept-encoding']));
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
    return reply.send(content);
  });
}

function cachedPages(
  log: FastifyBaseLogger,
  { live, blobs, shellBuild, settings: operatorSettings, publicUrl, metrics, reloadScript }: PageRoutesOptions,
) {
  const cache = new PageCache();
  const composer = new PageComposer(live, blobs, shellBuild.folder);
  const reported = new Set<string>();

  /** Reports once that a page could not be composed, and is rendered in the browser. */
  const report = (found: RegisteredRoute | undefined, why: string) => {
    const what = found
      ? `${found.route.path} of ${found.remote.name}@${found.remote.version}`
      : 'The page for an unknown path';
    const message = `${what} is rendered in the browser: ${why}`;
    if (reported.has(message)) return;
    reported.add(message);
    metrics.problems.inc({ remote: found?.remote.name ?? 'shell', reason: 'not-composed' });
    log.warn(message);
  };

  return (found: RegisteredRoute | undefined, index: RemoteIndex, banner: Banner | undefined) => {
    const manifest = shellBuild.manifest();
    const year = String(new Date().getUTCFullYear());
    const settings = { ...operatorSettings, year };
    const compose = async () =>
      found
        ? ((await composer.compose(found, manifest, settings)) ?? report(found, 'the release has no fragment for it'))
        : composer.composeUnknown(index.missing, manifest, settings);
    // Each year has its own pages and ETags.
    const key = [year, found?.route.path ?? unknownPath, banner?.before].join(' ');
    return cache.get(key, index, manifest, async () =>
      renderDocument({
        route: found?.route,
        manifest,
        publicUrl,
        data: { registry: inlineIndex(index, found?.remote.name), settings },
        composed: (await compose().catch(({ message }: Error) => report(found, message))) ?? undefined,
        banner,
        reloadScript: reloadScript?.(index, manifest),
      }),
    );
  };
}
