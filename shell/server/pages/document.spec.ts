import { hash } from 'node:crypto';
import { pageDataElementId } from '@daybook/contract/page';
import { defaultSiteSettings } from '@daybook/contract/site';
import { routeOf } from '@daybook/testing/releases';
import { prerenderedShell } from '@daybook/testing/temporary-builds';
import { describe, expect, test } from '@jest/globals';
import type { ComposedPage } from './compose.ts';
import { type Document, type DocumentParts, renderDocument, renderPageHead } from './document.ts';

const parts: DocumentParts = {
  route: routeOf('/terms'),
  manifest: {
    version: '1.0.0-000000000001',
    scripts: [{ file: 'shell.0a1b2c3d.js', integrity: 'sha384-script' }],
    styles: [{ file: 'shell.0a1b2c3d.css', integrity: 'sha384-style' }],
    ...prerenderedShell,
  },
  publicUrl: 'https://daybook.example',
  data: { registry: { remotes: [], missing: [] }, settings: defaultSiteSettings },
  composed: undefined,
};

const style = (name: string, text: string) => ({ url: `/${name}.css`, integrity: `sha384-${name}`, text });
const composed: ComposedPage = {
  content: '<main><h1>Terms</h1></main>',
  shellStyles: [style('shell', 'body{margin:0}')],
  release: 'mf-legal@1',
  pageStyles: [style('page', '.a{color:red}')],
  scripts: [{ url: '/remotes/mf-legal/1/entry.js', integrity: 'sha384-entry' }],
};
const renderComposed = (changes: Partial<ComposedPage> = {}) =>
  renderDocument({ ...parts, composed: { ...composed, ...changes } });

/** Expects a document with so many inline scripts and styles, and its policy to allow them and no others. */
function expectInline({ html, policy }: Pick<Document, 'html' | 'policy'>, scripts: number, styles: number) {
  for (const [element, count] of Object.entries({ script: scripts, style: styles })) {
    const found = html.matchAll(new RegExp(`<${element}(?: data-[^>]*)?>(.*?)</${element}>`, 'gs'));
    const sources = [...found].map(([, text = '']) => ` 'sha256-${hash('sha256', text, 'base64')}'`);
    expect(sources).toHaveLength(count);
    expect(policy).toContain(`${element}-src 'self'${sources.join('')};`);
  }
}

describe('the document of a page', () => {
  test('has escaped texts and data, and its files with integrity values', () => {
    const nasty = `"><script>alert('&')</script>`;
    const supportAddress = '</script><!--<script>alert(1)\u2028@x';
    const data = { ...parts.data, settings: { ...defaultSiteSettings, supportAddress } };
    const route = routeOf('/terms', { title: nasty, description: nasty });
    const document = renderDocument({ ...parts, route, data });
    const { html } = document;
    const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;';
    const inOrder = [
      `<title>${escaped} | Daybook</title>`,
      `<meta name="description" content="${escaped}">`,
      '<link rel="stylesheet" href="/assets/shell.0a1b2c3d.css" integrity="sha384-style" crossorigin>',
      '<div id="daybook-page"></div>',
      `<script type="application/json" id="${pageDataElementId}">`,
      '<script defer src="/assets/shell.0a1b2c3d.js" integrity="sha384-script" crossorigin></script>',
    ];
    const places = inOrder.map((part) => html.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    const [, json = ''] = new RegExp(`id="${pageDataElementId}">(.*?)</script>`, 's').exec(html) ?? [];
    expect(JSON.parse(json)).toEqual(data);
    expect(html.match(/<\/script>/g)).toHaveLength(4);
    expect(html).not.toMatch(/<!--|<script>alert|<style|\sstyle=|\son\w+=/);
    expectInline(document, 2, 0);
  });

  test('of a composed page inlines styles, and preloads scripts after the first paint', () => {
    const document = renderComposed();
    const { html } = document;
    expect(html).toContain('<div id="daybook-page"><main><h1>Terms</h1></main></div>');
    expect(html).not.toContain('<noscript>');
    expect(html).toContain(
      '<style>body{margin:0}</style>\n<style data-release="mf-legal@1">.a{color:red}</style>\n<link',
    );
    expect(html.match(/<link rel="stylesheet"[^>]*>/g)).toEqual(['<link rel="stylesheet" href="/page.css" disabled>']);
    const entry = 'href="/remotes/mf-legal/1/entry.js" integrity="sha384-entry" crossorigin';
    expect(html).toContain(`<template id="preloads">\n<link rel="preload" as="script" ${entry}>\n</template>`);
    expect(html.indexOf('<script defer')).toBeGreaterThan(html.indexOf('</main>'));
    expectInline(document, 3, 2);
  });

  test('of text only has its scripts in a template, and a third inline script', () => {
    const { html, policy } = renderComposed({ hydrate: 'on-interaction' });
    const [, template = ''] = /<template id="later-scripts">(.*?)<\/template>/s.exec(html) ?? [];
    const rest = html.replace(template, '');
    expect(template.match(/<script defer|<link rel="preload"/g)).toEqual(['<script defer', '<link rel="preload"']);
    expect(rest).not.toMatch(/<script defer|<link rel="preload"/);
    expectInline({ html: rest, policy }, 3, 2);
  });

  test.each([
    ['has a relative URL', false, '.a{background:url(a.svg)}'],
    ['has absolute addresses and data', true, '.a{src:url(/a.woff2),url("/a.woff2"),url(data:image/png;base64,)}'],
  ])('with a style that %s has it inlined: %p', (_what, isInline, text) => {
    const document = renderComposed({ pageStyles: [style('page', text)] });
    const link = '<link rel="stylesheet" href="/page.css" integrity="sha384-page" crossorigin>';
    expect(document.html.includes(link)).toBe(!isInline);
    expectInline(document, 3, isInline ? 2 : 0);
  });
});

test('a page has a canonical URL, or is one that search engines exclude', () => {
  const headOf = (route?: DocumentParts['route']) => renderPageHead(route, parts.publicUrl);
  const canonical = '<link rel="canonical" href="https://daybook.example/terms">';
  const noIndex = '<meta name="robots" content="noindex">';
  const terms = routeOf('/terms', { title: 'Terms' });
  const sharing = '<meta property="og:title" content="Terms | Daybook">';
  expect(headOf(terms)).toEqual(expect.arrayContaining([canonical, sharing]));
  expect(headOf(terms)).not.toContain(noIndex);
  expect(headOf({ ...terms, noIndex: true })).toContain(noIndex);
  expect(headOf()).toContain(noIndex);
  expect(headOf().join()).not.toMatch(/canonical|og:url/);
});
