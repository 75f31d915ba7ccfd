import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'puppeteer-core';
import { findFreePort } from '../../scripts/ports.ts';
import { withPage } from '../lighthouse.ts';
import type { SiteRoute } from '../site/routes.ts';
import { serveFolder, writeCompressed } from './serve-folder.ts';

/** The page as it is shown, as HTML with its styles inline and without anything that scripts need. Runs in the page. */
async function takePage(): Promise<string> {
  const sheets = [...document.querySelectorAll<HTMLLinkElement | HTMLStyleElement>('link[rel~="stylesheet"], style')];
  const texts = await Promise.all(
    sheets
      .filter((sheet) => !sheet.disabled)
      .map(async (sheet) => {
        const base = 'href' in sheet ? sheet.href : location.href;
        const text = 'href' in sheet ? await (await fetch(base)).text() : (sheet.textContent ?? '');
        return text.replaceAll(
          /url\((['"]?)(?!data:|#)([^'")]+)\1\)/g,
          (_, quote: string, address: string) => `url(${quote}${new URL(address, base).pathname}${quote})`,
        );
      }),
  );
  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  const ofScripts = 'link:is([as="script"], [as="style"], [rel~="modulepreload"], [rel~="prefetch"])';
  for (const each of copy.querySelectorAll(`script, style, noscript, link[rel~="stylesheet"], ${ofScripts}`))
    each.remove();
  const style = document.createElement('style');
  // A style that another one contains was inlined before its sheet arrived.
  style.textContent = [...new Set(texts)]
    .filter((text, _, all) => !all.some((other) => other !== text && other.includes(text)))
    .join('\n');
  copy.querySelector('title')?.after(style);
  return `<!doctype html>\n${copy.outerHTML}\n`;
}

const fileOf = (route: string) => `page${route.replaceAll('/', '-')}.html`;

/**
 * Saves the site's pages as they are once shown, each as one HTML file beside the pictures and fonts that it loads, and
 * serves them: nothing can show the same page sooner.
 *
 * @returns the address
 */
export async function serveStaticPages(
  started: AsyncDisposableStack,
  browser: Browser,
  site: string,
  routes: readonly SiteRoute[],
  parent: string,
): Promise<string> {
  const folder = path.join(parent, 'static-pages');
  mkdirSync(folder);
  for (const route of routes)
    await withPage(browser, async (page) => {
      const writing: Promise<void>[] = [];
      page.on('response', (response) => {
        if (!['image', 'font'].includes(response.request().resourceType()) || !response.ok()) return;
        const file = path.join(folder, new URL(response.url()).pathname);
        writing.push(response.buffer().then((content) => writeCompressed(file, Buffer.from(content))));
      });
      await page.emulate({ viewport: { width: 412, height: 823, isMobile: true, hasTouch: true }, userAgent: '' });
      await page.goto(site + route.address, { waitUntil: 'networkidle0' });
      await writeCompressed(path.join(folder, fileOf(route.path)), Buffer.from(await page.evaluate(takePage)));
      await Promise.all(writing);
    });
  return serveFolder(started, folder, await findFreePort(), fileOf);
}
