import {
  laterScriptsId,
  type PageData,
  pageDataElementId,
  pageElementId,
  preloadsId,
  releaseStyleAttribute,
} from '@daybook/contract/page';
import type { RegisteredPage } from '@daybook/contract/release';
import type { ShellManifest } from '@daybook/contract/server';
import { pageTitle, site } from '@daybook/contract/site';
import { escapeHtml } from '../html.ts';
import { contentSecurityPolicy, hashSource } from '../security-headers.ts';
import type { ComposedPage, NamedFile, Style } from './compose.ts';

const meta = (attribute: 'name' | 'property', name: string, content: string) =>
  `<meta ${attribute}="${name}" content="${escapeHtml(content)}">`;

export const socialCard = {
  path: '/social-card.png',
  width: 1200,
  height: 630,
  /** The words in shell/pictures/social-card.html. */
  text: 'The day in money, written up before breakfast. The free daily finance newsletter',
} as const;

const unknownPathDescription = `There is no page at this address of ${site.name}.`;

export function renderPageHead(route: RegisteredPage | undefined, publicUrl: string): readonly string[] {
  const title = pageTitle(route);
  const description = route?.description ?? unknownPathDescription;
  const url = route && publicUrl + route.path;
  return [
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', description),
    ...(!route || route.noIndex ? [meta('name', 'robots', 'noindex')] : []),
    ...(url ? [`<link rel="canonical" href="${escapeHtml(url)}">`] : []),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', site.name),
    meta('property', 'og:locale', site.locale),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    ...(url ? [meta('property', 'og:url', url)] : []),
    meta('property', 'og:image', publicUrl + socialCard.path),
    meta('property', 'og:image:width', String(socialCard.width)),
    meta('property', 'og:image:height', String(socialCard.height)),
    meta('property', 'og:image:alt', socialCard.text),
    meta('name', 'twitter:card', 'summary_large_image'),
  ];
}

export interface Banner {
  readonly style: string;
  readonly before: string;
  readonly after: string;
}

export interface DocumentParts {
  readonly route: RegisteredPage | undefined;
  readonly manifest: ShellManifest;
  readonly publicUrl: string;
  readonly data: PageData;
  readonly composed: ComposedPage | undefined;
  readonly banner?: Banner | undefined;
  readonly reloadScript?: NamedFile | undefined;
}

export interface Document {
  readonly html: string;
  readonly policy: string;
  readonly isFallback: boolean;
}

/** No `</script>` in it ends the element. */
const embeddedJson = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

const asset = ({ file, integrity }: ShellManifest['scripts'][number]): NamedFile => ({
  url: `/assets/${file}`,
  integrity,
});

const checked = ({ integrity }: NamedFile) => `integrity="${integrity}" crossorigin`;
const scriptTag = (script: NamedFile) => `<script defer src="${script.url}" ${checked(script)}></script>`;
const styleLink = (style: NamedFile) => `<link rel="stylesheet" href="${style.url}" ${checked(style)}>`;
const preload = (script: NamedFile) => `<link rel="preload" as="script" href="${script.url}" ${checked(script)}>`;

/** Tells the remote's style loading that an inlined style is there; disabled, so browsers fetch nothing. */
const loadedStyleLink = ({ url }: NamedFile) => `<link rel="stylesheet" href="${url}" disabled>`;

/** The policy has its hash, so no relative URLs, end tags, or characters that an HTML parser replaces. */
const isInline = ({ text }: Style) => !/[\r\0]|<\/style|@import|url\((?!\s*["']?(?:\/|data:))/i.test(text);

const textOf = (styles: readonly Style[]) => styles.map(({ text }) => text).join('\n');

/** Inlines styles if possible; those of the remote apart, since they end when the visitor leaves. */
function renderStyles({ shellStyles, pageStyles, release }: ComposedPage) {
  const all = [...shellStyles, ...pageStyles];
  // All or none, to preserve the order of the cascade.
  if (!all.every(isInline)) return { inline: [], tags: all.map(styleLink) };
  const ofShell = textOf(shellStyles);
  const shellTag = `<style>${ofShell}</style>`;
  if (pageStyles.length === 0) return { inline: [ofShell], tags: [shellTag] };
  const ofPage = textOf(pageStyles);
  const pageTag = `<style ${releaseStyleAttribute}="${release}">${ofPage}</style>`;
  return { inline: [ofShell, ofPage], tags: [shellTag, pageTag, ...pageStyles.map(loadedStyleLink)] };
}

function renderScripts(manifest: ShellManifest, composed: ComposedPage | undefined) {
  const inline = manifest.inlineScripts;
  const scripts = manifest.scripts.map(asset).map(scriptTag);
  const preloads = composed?.scripts.map(preload) ?? [];
  const later = (id: string, tags: readonly string[], script: string) => [
    ...[`<template id="${id}">`, ...tags, '</template>'],
    `<script>${script}</script>`,
  ];
  if (composed?.hydrate === 'on-interaction')
    return { tags: later(laterScriptsId, [...scripts, ...preloads], inline.later), inline: [inline.later] };
  if (preloads.length === 0) return { tags: scripts, inline: [] };
  return { tags: [...scripts, ...later(preloadsId, preloads, inline.preload)], inline: [inline.preload] };
}

/** Renders the HTML of a page. Browsers load nothing that is in a template. */
export function renderDocument(parts: DocumentParts): Document {
  const { route, manifest, publicUrl, data, composed, banner, reloadScript } = parts;
  const styles = composed ? renderStyles(composed) : { inline: [], tags: manifest.styles.map(asset).map(styleLink) };
  const scripts = renderScripts(manifest, composed);
  const html = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<script>${manifest.inlineScripts.first}</script>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    ...renderPageHead(route, publicUrl),
    '<meta name="color-scheme" content="light dark">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    ...styles.tags,
    ...(banner ? [`<style>${banner.style}</style>`] : []),
    `<script>${manifest.inlineScripts.font}</script>`,
    '</head>',
    '<body>',
    ...(banner ? [banner.before] : []),
    `<div id="${pageElementId}">${composed?.content ?? ''}</div>`,
    ...(banner ? [banner.after] : []),
    ...(composed
      ? []
      : ['<noscript><p>This page needs JavaScript to be shown. Please turn it on and reload.</p></noscript>']),
    `<script type="application/json" id="${pageDataElementId}">${embeddedJson(data)}</script>`,
    ...scripts.tags,
    ...(reloadScript ? [scriptTag(reloadScript)] : []),
    '</body>',
    '</html>',
    '',
  ].join('\n');
  const policy = contentSecurityPolicy({
    scripts: [manifest.inlineScripts.first, manifest.inlineScripts.font, ...scripts.inline].map(hashSource),
    styles: [...styles.inline, ...(banner ? [banner.style] : [])].map(hashSource),
  });
  return { html, policy, isFallback: composed === undefined };
}
