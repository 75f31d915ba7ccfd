import { type PageData, type PageRoute, pageDataElementId, type ShellManifest } from '@daybook/contract';
import type { ReloadScript } from '../development/live-reload.ts';
import { renderPageHead } from './head.ts';

export interface DocumentParts {
  /** The route that is shown; `undefined` for an unknown path. */
  readonly route: PageRoute | undefined;
  readonly manifest: ShellManifest;
  /** The site's origin as visitors know it. */
  readonly publicUrl: string;
  readonly data: PageData;
  /** A script that reloads the page after a build; only in development. */
  readonly reloadScript?: ReloadScript;
}

/** JSON that no `</script>` in it can end; `<` is written as an escape. */
const embeddedJson = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

/** The HTML of a page: its head, an empty root that the shell renders into, and what the shell needs to know. */
export function renderDocument({ route, manifest, publicUrl, data, reloadScript }: DocumentParts): string {
  const asset = (file: string) => `/assets/${file}`;
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    ...renderPageHead(route, publicUrl),
    '<meta name="color-scheme" content="light dark">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    ...manifest.styles.map(
      ({ file, integrity }) => `<link rel="stylesheet" href="${asset(file)}" integrity="${integrity}" crossorigin>`,
    ),
    `<script type="application/json" id="${pageDataElementId}">${embeddedJson(data)}</script>`,
    ...manifest.scripts.map(
      ({ file, integrity }) => `<script defer src="${asset(file)}" integrity="${integrity}" crossorigin></script>`,
    ),
    ...(reloadScript
      ? [`<script defer src="${reloadScript.address}" integrity="${reloadScript.integrity}" crossorigin></script>`]
      : []),
  ];
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    ...head,
    '</head>',
    '<body>',
    '<div id="root"></div>',
    '<noscript><p>This site needs JavaScript to show its pages. Please turn it on and reload.</p></noscript>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
