import {
  type PageData,
  pageDataElementId,
  pageTitle,
  type ReleaseRoute,
  type ShellManifest,
  site,
} from '@daybook/contract';

export interface DocumentParts {
  /** The route that is shown; `undefined` for an unknown path. */
  readonly route: ReleaseRoute | undefined;
  readonly manifest: ShellManifest;
  readonly data: PageData;
  /** Address of a script that reloads the page after a build; only in development. */
  readonly reloadScript?: string;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);

/** JSON that no `</script>` in it can end; `<` is written as an escape. */
const embeddedJson = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

/** The HTML of a page: its head, an empty root that the shell renders into, and what the shell needs to know. */
export function renderDocument({ route, manifest, data, reloadScript }: DocumentParts): string {
  const description = route?.description ?? site.description;
  const asset = (file: string) => `/assets/${file}`;
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(pageTitle(route))}</title>`,
    `<meta name="description" content="${escapeHtml(description)}">`,
    ...(route && !route.noIndex ? [] : ['<meta name="robots" content="noindex">']),
    '<meta name="color-scheme" content="light dark">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    ...manifest.styles.map(
      ({ file, integrity }) => `<link rel="stylesheet" href="${asset(file)}" integrity="${integrity}">`,
    ),
    `<script type="application/json" id="${pageDataElementId}">${embeddedJson(data)}</script>`,
    ...manifest.scripts.map(
      ({ file, integrity }) => `<script defer src="${asset(file)}" integrity="${integrity}"></script>`,
    ),
    ...(reloadScript ? [`<script defer src="${reloadScript}"></script>`] : []),
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
