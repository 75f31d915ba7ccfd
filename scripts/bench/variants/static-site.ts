import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import path from 'node:path';
import { precompress } from '@daybook/build/precompress';
import { findFreePort } from '@daybook/testing/ports';
import type { SiteRoute } from '@daybook/testing/routes';
import sirv from 'sirv';

export function writeFile(file: string, content: Buffer | string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

// As the site's pages: Chromium starts a process for a page with this header, which takes 0.15 s.
const setHeaders = (response: ServerResponse) => {
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
};

/** Compresses and serves a folder; maps `/x` to `x.html` and unknown paths to `index.html`. */
export async function serveFolder(started: AsyncDisposableStack, folder: string): Promise<string> {
  const port = await findFreePort();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    if (!statSync(file).isFile()) continue;
    for (const [extension, content] of await precompress(file, readFileSync(file)))
      writeFile(file + extension, content);
  }
  const server = createServer(sirv(folder, { brotli: true, single: true, setHeaders })).listen(port, 'localhost');
  started.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://localhost:${port}`;
}

/** Scripts and unused style sheets: the page's styles are inline; sheets for later pages are disabled. */
const ofScripts = /<(?:script|noscript)\b.*?<\/(?:script|noscript)>|<link\b[^>]*(?:\bas="script"|\bdisabled\b)[^>]*>/gs;

async function download(url: string): Promise<Buffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} responded with ${response.status}.`);
  return Buffer.from(await response.arrayBuffer());
}

/** Serves the site's pages without any script, with their pictures and fonts; `change` is applied to each page. */
export async function serveStaticPages(
  started: AsyncDisposableStack,
  folder: string,
  site: string,
  routes: readonly SiteRoute[],
  change = (html: string) => html,
): Promise<string> {
  for (const route of routes) {
    const html = (await download(site + route.url)).toString().replaceAll(ofScripts, '');
    if (html.includes('rel="stylesheet"')) throw new Error(`${route.path} has a style sheet that is not inline.`);
    writeFile(path.join(folder, `${route.path === '/' ? 'index' : route.path}.html`), change(html));
    for (const [file] of html.matchAll(/\/(?:assets|remotes)\/[^"'()\s]+\.(?:avif|jpe?g|png|svg|webp|woff2)/g))
      writeFile(path.join(folder, file), await download(site + file));
  }
  return serveFolder(started, folder);
}
