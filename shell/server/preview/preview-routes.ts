import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReleaseRoute } from '@daybook/contract/release';
import { withoutVersion } from '@daybook/releases';
import type { LocalRelease, PreviewedSite, SiteReleases } from '@daybook/releases/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../html.ts';
import { countWrongRequests } from '../network-limit.ts';
import { contentSecurityPolicy, hashSource } from '../security-headers.ts';
import { findPreview, leavePreview, openPreview } from './preview.ts';
import { leavePreviewUrl, previewUrl } from './preview-bar.ts';

/** Rate limit: links without a preview per network and minute. */
const maxUnknown = 30;

/** As of the edge's own pages (deploy/nginx/edge.conf). */
const style = `
:root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif; color: light-dark(#12211b, #e9f0ea); background: light-dark(#f3f7f1, #0e1512) }
body { margin: 15vh auto; padding: 0 1.25rem; max-width: 32rem }
p:first-child, a { font-weight: 700; color: light-dark(#0a6546, #63cb9f) }
h1 { margin: 1rem 0; font-size: 2rem; line-height: 1.2; text-wrap: balance }
`;

/** The same for all links without a running preview: it must not tell whether there ever was one. */
const unknownPage = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>No preview | Daybook</title>
<style>${style}</style>
</head>
<body>
<main>
<p>Daybook</p>
<h1>There is no preview at this link</h1>
<p>It may have ended, or the link is not complete. Please ask whoever sent it for a new one.</p>
<p><a href="/">Go to the published pages</a></p>
</main>
</body>
</html>
`.text;

const policy = contentSecurityPolicy({ scripts: [], styles: [hashSource(style)] });

/** A release with its pages. */
type ReleasedPages = Pick<LocalRelease, 'release' | 'folder' | 'pageFile'>;

/**
 * Returns the page that a preview begins with: the first one whose content differs from the published one, or else whose
 * title, description or frame does, or else the first one.
 */
export async function firstChangedPage(preview: ReleasedPages, published: ReleasedPages | undefined): Promise<string> {
  const { routes } = preview.release;
  const contentOf = async ({ release, folder, pageFile }: ReleasedPages, { fragment = '' }: ReleaseRoute) => {
    // A page without a fragment, or whose file is damaged, has no content to compare.
    const content = await readFile(path.join(folder, pageFile(fragment)?.name ?? ''), 'utf8').catch(() => '');
    return withoutVersion(content, release.version);
  };
  const metadataOf = (_: ReleasedPages, { title, description, frame }: ReleaseRoute) =>
    JSON.stringify([title, description, frame]);
  for (const partOf of [contentOf, metadataOf])
    for (const route of routes) {
      const before = published?.release.routes.find((each) => each.path === route.path);
      if (!published || !before || (await partOf(preview, route)) !== (await partOf(published, before)))
        return route.path;
    }
  return routes[0]?.path ?? '/';
}

/**
 * Returns whether a page of this site or something embedded asks for a link: people open links from elsewhere. A script of a
 * hostile release must not make its visitors keep a preview of it.
 */
const isByPage = ({ headers }: FastifyRequest) =>
  headers['sec-fetch-site'] === 'same-origin' || (headers['sec-fetch-dest'] ?? 'document') !== 'document';

/**
 * Serves the links of previews: `GET /_preview/<token>` begins a preview, `GET /_preview/leave` ends it for this visitor.
 * Responses are neither cached nor indexed, and no other site learns the link.
 */
export function registerPreviews(server: FastifyInstance, releases: SiteReleases): void {
  const countUnknownLink = countWrongRequests(server, maxUnknown);

  async function firstPage({ remote, version }: PreviewedSite): Promise<string> {
    const published = releases.remoteIndex().remotes.find(({ name }) => name === remote);
    const preview = releases.find(remote, version);
    return preview ? firstChangedPage(preview, published && releases.find(remote, published.version)) : '/';
  }

  const sendUnknown = (reply: FastifyReply) =>
    reply
      .code(404)
      .headers({ 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy })
      .send(unknownPage);

  server.register(async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers({
        'Cache-Control': 'no-store, no-transform',
        'X-Robots-Tag': 'noindex',
        'Referrer-Policy': 'no-referrer',
      });
    });

    app.get(leavePreviewUrl, (_request, reply) => {
      leavePreview(reply);
      return reply.redirect('/', 303);
    });

    app.get<{ Params: { '*': string } }>(`${previewUrl}/*`, async (request, reply) => {
      const token = request.params['*'];
      const preview = isByPage(request) ? undefined : await findPreview(releases, token);
      if (!preview) {
        const wait = await countUnknownLink(request);
        if (wait === undefined) return sendUnknown(reply);
        reply.code(429).header('Retry-After', wait).type('text/plain; charset=utf-8');
        return reply.send(`Too many links without a preview. Please try again in ${wait} seconds.\n`);
      }
      openPreview(reply, token, preview.endsAt);
      return reply.redirect(await firstPage(preview), 303);
    });
  });
}
