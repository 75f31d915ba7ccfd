import path from 'node:path';
import type { Configuration } from '@rspack/core';
import type { Page } from './pages.ts';
import { type NodeBundle, runInNode } from './run-in-node.ts';
import { placeholder } from './version.ts';

type RenderPage = (path: string) => Promise<string>;

/** One bundle of pages, React and the renderer, so that there is one copy of React. */
function entryOf(folder: string, pages: readonly Page[]): string {
  const imports = pages.map(
    ({ file, route }) => `${JSON.stringify(route.path)}: () => import(${JSON.stringify(path.join(folder, file))})`,
  );
  return `data:text/javascript,${encodeURIComponent(`
    import { neutralPage } from '@daybook/platform/prerender';
    import { renderToString } from 'react-dom/server';
    const pages = { ${imports.join(', ')} };
    export const render = async (path) => renderToString(neutralPage(await pages[path]()));
  `)}`;
}

/** React emits these before the markup; they belong in the document's head. */
const preloads = /^(?:<link rel="preload"[^>]*>)+/;

/** What the HTML of a page can't have. React escapes quotes in texts, so these attributes are in tags. */
const problems = [
  // The page is rendered without its frame, inside of which these ids are others.
  [
    /(?:id|for|aria-\w+)="[^"]*(?:_[rR]_|«|:[rR])/,
    'has an id made by useId, which differs in the browser; write a plain id',
  ],
  [/<(?:script|style)\b/, 'has a script or style element, which documents ignore; import code and styles'],
  [
    / (?:style|on\w+)="/,
    'has an inline style or handler, which documents ignore; use a class or a prop such as onClick',
  ],
  [/^$/, 'is empty'],
] as const;

export const fileNameOf = (routePath: string) => routePath.slice(1).replaceAll('/', '_') || '_index';

export const fragmentOf = (routePath: string) => `fragments/${fileNameOf(routePath)}.${placeholder}.html`;

async function renderPage(
  { exports: { render }, positionOf }: NodeBundle<{ readonly render: RenderPage }>,
  remote: string,
  { file, route }: Page,
): Promise<string> {
  let html: string;
  try {
    html = (await render(route.path)).replace(preloads, '');
  } catch (error) {
    const position = positionOf(error, remote);
    // Code that throws a plain Error does so on purpose, with advice of its own; a ReferenceError is a missing browser.
    const advice =
      Object(error).name === 'Error'
        ? ''
        : '. It is rendered to HTML at build time, without a browser: use window, document and the like only in effects and handlers.';
    throw new Error(`${remote}/${file} can't be rendered: ${error}${position ? ` (${position})` : ''}${advice}`, {
      cause: error,
    });
  }
  for (const [pattern, problem] of problems)
    if (pattern.test(html)) throw new Error(`The page ${remote}/${file} ${problem}.`);
  return html;
}

/** Renders the pages of a remote to HTML without visitor data, by file. @throws Error naming the page that can't be rendered */
export async function prerenderPages(
  browser: Configuration,
  pages: readonly Page[],
): Promise<ReadonlyMap<string, Buffer>> {
  const folder = String(browser.context);
  const bundle = await runInNode<{ render: RenderPage }>(browser, entryOf(folder, pages));
  const rendered = pages.map(async (page) => {
    const html = await renderPage(bundle, path.basename(folder), page);
    return [fragmentOf(page.route.path), Buffer.from(html)] as const;
  });
  return new Map(await Promise.all(rendered));
}
