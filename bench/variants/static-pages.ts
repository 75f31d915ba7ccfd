import path from 'node:path';
import { findFreePort } from '../../scripts/ports.ts';
import type { SiteRoute } from '../site/routes.ts';
import { serveFolder, writeFile } from './serve-folder.ts';

/** The site's styles are inline already; sheets that are for later pages are disabled. */
const ofScripts = /<(?:script|noscript)\b.*?<\/(?:script|noscript)>|<link\b[^>]*(?:\bas="script"|\bdisabled\b)[^>]*>/gs;

const fileOf = (route: string) => `page${route.replaceAll('/', '-')}.html`;

async function download(address: string): Promise<Buffer> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} responded with ${response.status}.`);
  return Buffer.from(await response.arrayBuffer());
}

/**
 * Serves the site's pages as they are composed, without any script, beside the pictures and fonts that they name:
 * nothing can show the same page sooner.
 *
 * @param folder gets the files
 * @returns the address
 */
export async function serveStaticPages(
  started: AsyncDisposableStack,
  folder: string,
  site: string,
  routes: readonly SiteRoute[],
): Promise<string> {
  for (const route of routes) {
    const html = (await download(site + route.address)).toString().replaceAll(ofScripts, '');
    if (html.includes('rel="stylesheet"')) throw new Error(`${route.path} has a style sheet that is not inline.`);
    writeFile(path.join(folder, fileOf(route.path)), html);
    for (const [file] of html.matchAll(/\/(?:assets|remotes)\/[^"'()\s]+\.(?:avif|jpe?g|png|svg|webp|woff2)/g))
      writeFile(path.join(folder, file), await download(site + file));
  }
  return serveFolder(started, folder, await findFreePort(), fileOf);
}
