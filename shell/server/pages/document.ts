import { type PageData, type PageRoute, pageDataElementId, type ShellManifest } from '@daybook/contract';
import { contentSecurityPolicy } from '../security-headers.ts';
import type { ComposedPage } from './composition/composed-page.ts';
import type { NamedFile, Style } from './composition/page-files.ts';
import { earlyEventsScript, hashSource } from './early-events.ts';
import { renderPageHead } from './head.ts';

export interface DocumentParts {
  /** The route that is shown; `undefined` for an unknown path. */
  readonly route: PageRoute | undefined;
  readonly manifest: ShellManifest;
  /** The site's origin as visitors know it. */
  readonly publicUrl: string;
  readonly data: PageData;
  /** The page as HTML; `none` where there is none, and `failed` where it can't be had: the shell renders the page into an empty root. */
  readonly composed: ComposedPage | 'none' | 'failed';
  /** A script that reloads the page after a build; only in development. */
  readonly reloadScript?: NamedFile;
}

/** An HTML document, and the security policy that lets it be what it is. */
export interface Document {
  readonly html: string;
  readonly policy: string;
  /** Whether it stands in for a better one, which can't be made right now. */
  readonly isMakeshift: boolean;
}

/** JSON that no `</script>` in it can end; `<` is written as an escape. */
const embeddedJson = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

const asset = ({ file, integrity }: ShellManifest['scripts'][number]): NamedFile => ({
  address: `/assets/${file}`,
  integrity,
});

const checked = ({ integrity }: NamedFile) => `integrity="${integrity}" crossorigin`;
const scriptTag = (script: NamedFile) => `<script defer src="${script.address}" ${checked(script)}></script>`;
const styleLink = (style: NamedFile) => `<link rel="stylesheet" href="${style.address}" ${checked(style)}>`;
const preload = (script: NamedFile) => `<link rel="preload" as="script" href="${script.address}" ${checked(script)}>`;

/** A remote's own loading of styles finds this, and takes the style for loaded; a browser fetches nothing for it. */
const loadedStyleLink = ({ address }: NamedFile) => `<link rel="stylesheet" href="${address}" disabled>`;

/**
 * Styles that name other files by where they are themselves, or end the element that holds them, stay files; and those
 * with characters that an HTML parser replaces, since the policy has the hash of the text.
 */
const isInline = ({ text }: Style) => !/[\r\0]|<\/style|@import|url\((?!\s*["']?(?:\/|data:))/i.test(text);

/** The styles of a page: first paint waits for the document alone where it can hold them. */
function renderStyles({ shellStyles, pageStyles }: ComposedPage) {
  const all = [...shellStyles, ...pageStyles];
  // In one order: what comes later decides.
  const inline = all.every(isInline);
  const text = inline ? all.map((style) => style.text).join('\n') : '';
  return {
    text,
    tags: inline ? [`<style>${text}</style>`, ...pageStyles.map(loadedStyleLink)] : all.map(styleLink),
  };
}

/**
 * The HTML of a page: its head and styles, what is read, and at the end, where nothing of that waits for it, what makes
 * it work.
 */
export function renderDocument(parts: DocumentParts): Document {
  const { route, manifest, publicUrl, data, reloadScript } = parts;
  const composed = typeof parts.composed === 'string' ? undefined : parts.composed;
  const styles = composed ? renderStyles(composed) : { text: '', tags: manifest.styles.map(asset).map(styleLink) };
  const html = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    ...renderPageHead(route, publicUrl),
    '<meta name="color-scheme" content="light dark">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    ...styles.tags,
    `<script>${earlyEventsScript}</script>`,
    '</head>',
    '<body>',
    `<div id="root">${composed?.content ?? ''}</div>`,
    ...(composed
      ? []
      : ['<noscript><p>This page needs JavaScript to be shown. Please turn it on and reload.</p></noscript>']),
    `<script type="application/json" id="${pageDataElementId}">${embeddedJson(data)}</script>`,
    ...manifest.scripts.map(asset).map(scriptTag),
    ...(composed?.scripts ?? []).map(preload),
    ...(reloadScript ? [scriptTag(reloadScript)] : []),
    '</body>',
    '</html>',
    '',
  ].join('\n');
  const policy = contentSecurityPolicy({
    scripts: [hashSource(earlyEventsScript)],
    styles: styles.text === '' ? [] : [hashSource(styles.text)],
  });
  return { html, policy, isMakeshift: parts.composed === 'failed' };
}
