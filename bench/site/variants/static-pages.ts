import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { SiteRoute } from '@daybook/testing/routes';
import type { Browser, Page } from 'playwright';
import { load, withPhone } from '../throttled-page.ts';
import { pageHeaders, serveFolder, writeCompressed } from './serve-folder.ts';
import { type Variant, variantNames } from './variant.ts';

/** Where the saved HTML names its style sheet. */
const styleMark = '/saved.css';

/** A style sheet of a page, with the address that its own addresses are relative to. */
export interface SavedStyle {
  readonly address: string;
  readonly text: string;
}

/** Takes a page as it is now, without anything that scripts need. Runs in the page. */
async function takePage(mark: string) {
  const isOn = (element: Element) => !(element as HTMLLinkElement).disabled;
  const sheets = [...document.querySelectorAll('link[rel~="stylesheet"], style')].filter(isOn);
  const styles = await Promise.all(
    sheets.map(async (sheet) =>
      sheet instanceof HTMLLinkElement
        ? { address: sheet.href, text: await (await fetch(sheet.href)).text() }
        : { address: location.href, text: sheet.textContent ?? '' },
    ),
  );
  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  const ofScripts =
    'link[rel~="preload"]:is([as="script"], [as="style"]), link[rel~="modulepreload"], link[rel~="prefetch"]';
  for (const each of copy.querySelectorAll(`script, style, noscript, link[rel~="stylesheet"], ${ofScripts}`))
    each.remove();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = mark;
  copy.querySelector('title')?.after(link);
  return { html: `<!doctype html>\n${copy.outerHTML}\n`, styles };
}

/** Style sheets as one, in their order, each once; addresses in them as paths from the root. */
export function joinStyles(styles: readonly SavedStyle[]): string {
  const kept = styles.filter(
    ({ text }, index) =>
      !styles.some((other, place) => other.text.includes(text) && (other.text !== text || place < index)),
  );
  return kept
    .map(({ address, text }) =>
      text.replaceAll(/url\((['"]?)(?!data:|#)([^'")]+)\1\)/g, (_, quote: string, each: string) => {
        const { pathname, search } = new URL(each, address);
        return `url(${quote}${pathname}${search}${quote})`;
      }),
    )
    .join('\n');
}

/** A name for a route's files. */
const fileNameOf = (route: string) => (route === '/' ? 'home' : route.slice(1).replaceAll('/', '-'));

/** Keeps the pictures and fonts that a page loads. */
function keepFiles(page: Page, folder: string): () => Promise<void> {
  const writing: Promise<void>[] = [];
  page.on('response', (answer) => {
    if (!['image', 'font'].includes(answer.request().resourceType()) || !answer.ok()) return;
    const file = path.join(folder, decodeURI(new URL(answer.url()).pathname));
    writing.push(answer.body().then((content) => writeCompressed(file, content)));
  });
  return async () => void (await Promise.all(writing));
}

async function savePage(browser: Browser, site: Variant, route: SiteRoute, folder: string): Promise<string> {
  return withPhone(
    browser,
    async (page) => {
      const kept = keepFiles(page, folder);
      await load(page, site, site.address + route.address);
      const { html, styles } = await page.evaluate(takePage, styleMark);
      await kept();
      const css = Buffer.from(joinStyles(styles));
      const name = fileNameOf(route.path);
      const styleFile = `${name}.${createHash('sha256').update(css).digest('hex').slice(0, 8)}.css`;
      await writeCompressed(path.join(folder, styleFile), css);
      const file = `${name}.html`;
      await writeCompressed(path.join(folder, file), Buffer.from(html.replace(styleMark, `/${styleFile}`)));
      return file;
    },
    { savesData: true, fast: true },
  );
}

/**
 * Saves the site's pages as they are once shown, each as one HTML file and one style sheet with the pictures and fonts
 * that it shows, and serves them with the headers that the site sends.
 */
export async function serveStaticPages(
  started: AsyncDisposableStack,
  browser: Browser,
  site: Variant,
  routes: readonly SiteRoute[],
  parent: string,
): Promise<Variant> {
  const folder = path.join(parent, 'static-pages');
  mkdirSync(folder);
  const pages: Record<string, string> = {};
  for (const route of routes) pages[route.path] = await savePage(browser, site, route, folder);
  const { address } = await serveFolder(started, folder, { headers: await pageHeaders(site.address), pages });
  return { name: variantNames.staticPages, address, hydrates: false };
}
