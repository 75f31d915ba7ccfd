import { pageElementId } from '@daybook/contract/page';
import { previewUrl, type Release, type RemoteIndex } from '@daybook/contract/release';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../html.ts';
import { countWrongRequests } from '../network-limit.ts';
import type { LiveSite } from '../releases/live-site.ts';
import { contentSecurityPolicy, hashSource } from '../security-headers.ts';
import type { Banner } from './document.ts';

/** `<remote>@<version>`, until the browser is closed. */
const cookie = 'preview';

const leaveUrl = '/_preview/leave';

/** Links without a preview, per network and minute. */
const maxWrong = 30;

/** In the flow, so that the bar covers nothing. */
const barStyle = `
body { display: grid; grid-template-columns: 1fr; align-content: start }
#preview-bar, #preview-leave { padding: 0.5rem 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1f1a00; background: #ffd54a }
#preview-bar { grid-row: 1 }
#preview-bar p { margin: 0; max-inline-size: none; overflow-wrap: anywhere; color: inherit }
#preview-leave { grid-row: 2; padding-block-start: 0; border-block-end: 2px solid #1f1a00 }
#preview-leave a { font-weight: 700; color: inherit; text-decoration: underline }
#preview-leave a:focus-visible { outline: 3px solid #1f1a00; outline-offset: 2px }
#${pageElementId} { grid-row: 3; grid-column: 1 / -1; min-inline-size: 0 }
@media (min-width: 40rem) {
  body { grid-template-columns: 1fr auto }
  #preview-bar { border-block-end: 2px solid #1f1a00 }
  #preview-leave { grid-row: 1; padding-block-start: 0.5rem }
}
@media print {
  body { display: block }
  #preview-bar { border: 2px solid #1f1a00 }
  #preview-leave { display: none }
}
`;

export function previewBar(name: string, isActive: boolean): Banner {
  const text = html`<p>Preview of ${name.replace('@', ' ')}: ${isActive ? '' : 'not '}what visitors get.</p>`;
  return {
    style: barStyle,
    // The link that skips to the content stays the first one.
    before: html`<aside id="preview-bar" aria-label="Preview">${text}</aside>`.text,
    after: html`<nav id="preview-leave" aria-label="Preview"><a href="${leaveUrl}">Leave the preview</a></nav>`.text,
  };
}

export const previewHeaders = {
  'Cache-Control': 'no-store, no-transform',
  Vary: 'Accept-Encoding, Cookie',
  'X-Robots-Tag': 'noindex',
} as const;

/** Returns all values of a cookie. Browsers send cookies with a longer path first, so the first value may be junk. */
export const cookieValues = ({ headers, server }: FastifyRequest, name: string): readonly string[] =>
  (headers.cookie ?? '').split(';').flatMap((each) => server.parseCookie(each)[name] ?? []);

export const hasPreviewCookie = ({ cookies }: FastifyRequest) => cookies[cookie] !== undefined;

export const leavePreview = (reply: Pick<FastifyReply, 'clearCookie'>) =>
  reply.clearCookie(cookie, { path: '/', sameSite: 'lax' });

/** Returns what a visitor previews, if the release is stored and was not rolled back. */
export async function previewOf(request: FastifyRequest, live: LiveSite): Promise<RemoteIndex | undefined> {
  const releases = cookieValues(request, cookie).map((value) => value.split('@'));
  if (releases.length === 0) return undefined;
  const find = () => releases.map(([remote = '', version = '']) => live.site.preview(remote, version)).find(Boolean);
  if (!find()) await live.catchUp();
  return find();
}

function firstChanged(release: Release, active: Release | undefined): string {
  const isChanged = ({ path, hash }: Release['routes'][number]) =>
    hash === undefined || active?.routes.find((each) => each.path === path)?.hash !== hash;
  return (release.routes.find(isChanged) ?? release.routes[0])?.path ?? '/';
}

const pageStyle = `
:root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif; color: light-dark(#12211b, #e9f0ea); background: light-dark(#f3f7f1, #0e1512) }
body { margin: 15vh auto; padding: 0 1.25rem; max-width: 32rem }
p:first-child, a { font-weight: 700; color: light-dark(#0a6546, #63cb9f) }
h1 { margin: 1rem 0; font-size: 2rem; line-height: 1.2; text-wrap: balance }
`;

const unknownPage = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>No preview | Daybook</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<p>Daybook</p>
<h1>There is no preview at this link</h1>
<p>The release is not stored, or was rolled back. Please ask whoever sent the link for a new one.</p>
<p><a href="/">Go to the published pages</a></p>
</main>
</body>
</html>
`.text;

export function registerPreviews(server: FastifyInstance, live: LiveSite): void {
  const countWrong = countWrongRequests(server, maxWrong);
  server.register(async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers({
        'Cache-Control': 'no-store, no-transform',
        'X-Robots-Tag': 'noindex',
        'Referrer-Policy': 'no-referrer',
      });
    });

    app.get(leaveUrl, (_request, reply) => leavePreview(reply).redirect('/', 303));

    app.get<{ Params: { remote: string; version: string } }>(
      previewUrl(':remote', ':version'),
      async (request, reply) => {
        const { remote, version } = request.params;
        if (!live.site.preview(remote, version)) await live.catchUp();
        if (live.site.preview(remote, version)) {
          const active = live.site.find(remote, live.site.remote(remote)?.state?.active)?.release;
          const found = live.site.find(remote, version)?.release;
          reply.setCookie(cookie, `${remote}@${version}`, { path: '/', sameSite: 'lax' });
          return reply.redirect(found ? firstChanged(found, active) : '/', 303);
        }
        const wait = await countWrong(request);
        if (wait !== undefined) {
          reply.code(429).header('Retry-After', wait).type('text/plain; charset=utf-8');
          return reply.send(`Too many links without a preview. Please try again in ${wait} seconds.\n`);
        }
        const policy = contentSecurityPolicy({ scripts: [], styles: [hashSource(pageStyle)] });
        return reply
          .code(404)
          .header('Content-Security-Policy', policy)
          .type('text/html; charset=utf-8')
          .send(unknownPage);
      },
    );
  });
}
