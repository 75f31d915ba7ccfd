import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pageDataElementId } from '@daybook/contract/page';
import { defaultSiteSettings, site } from '@daybook/contract/site';
import { describe, expect, test } from '@jest/globals';
import { prerenderedShell, routeOf } from '../../../packages/releases/src/test/temporary-site.ts';
import type { ComposedPage } from './composed-page.ts';
import { type DocumentParts, renderDocument, renderPageHead, socialCard } from './document.ts';

const parts: DocumentParts = {
  route: routeOf('/terms', { title: 'Terms of Service', description: 'The terms.' }),
  manifest: {
    version: '1.0.0-00000001',
    scripts: [{ file: 'shell.0a1b2c3d.js', integrity: 'sha384-script' }],
    styles: [{ file: 'shell.0a1b2c3d.css', integrity: 'sha384-style' }],
    ...prerenderedShell,
  },
  publicUrl: 'https://daybook.example',
  data: { registry: { remotes: [], missing: [] }, settings: defaultSiteSettings },
  composed: undefined,
};

const dataIn = (html: string): unknown => {
  const [, json = ''] = new RegExp(`id="${pageDataElementId}">(.*?)</script>`, 's').exec(html) ?? [];
  return JSON.parse(json);
};

/** The sources of a policy that allow the inline elements of a document. */
const inlineSources = (html: string, element: 'script' | 'style') =>
  [...html.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
/** Expects a document with so many inline scripts, and its policy to allow them. */
function expectScripts(count: number, html: string, policy: string) {
  const allowed = inlineSources(html, 'script');
  expect(allowed).toHaveLength(count);
  expect(policy).toContain(`script-src 'self' ${allowed.join(' ')};`);
}

describe('the document of a page', () => {
  test("has the escaped title and description of its route, and links the shell's files with integrity values", () => {
    const nasty = `"><script>alert('&')</script>`;
    const { html } = renderDocument({ ...parts, route: routeOf('/terms', { title: nasty, description: nasty }) });
    const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;';
    expect(html).toContain(`<title>${escaped} | Daybook</title>`);
    expect(html).toContain(`<meta name="description" content="${escaped}">`);
    expect(html).not.toContain('<script>alert');
    expect(html).toContain(
      '<script defer src="/assets/shell.0a1b2c3d.js" integrity="sha384-script" crossorigin></script>',
    );
    expect(html).toContain(
      '<link rel="stylesheet" href="/assets/shell.0a1b2c3d.css" integrity="sha384-style" crossorigin>',
    );
  });

  test('embeds its data unchanged, and no text in it can end the script element', () => {
    const supportAddress = '</script><!--<script>alert(1)\u2028@x';
    const data = { ...parts.data, settings: { ...defaultSiteSettings, supportAddress } };
    const { html } = renderDocument({ ...parts, data });
    expect(dataIn(html)).toEqual(data);
    expect(html.match(/<\/script>/g)).toHaveLength(4);
    expect(html).not.toContain('<!--');
  });

  test('has an inline script before its styles and one after them, which the security policy allows', () => {
    const { html, policy } = renderDocument(parts);
    const places = [html.indexOf('<script>'), html.indexOf('<link rel="stylesheet"'), html.lastIndexOf('<script>')];
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
    expectScripts(2, html, policy);
    expect(policy).toContain("style-src 'self';");
  });
});

describe('the document of a composed page', () => {
  const style = (name: string, text: string) => ({ address: `/${name}.css`, integrity: `sha384-${name}`, text });
  const composed: ComposedPage = {
    content: '<main><h1>Terms</h1></main>',
    shellStyles: [style('shell', 'body{margin:0}')],
    pageStyles: [style('page', '.a{color:red}')],
    scripts: [{ address: '/remotes/mf-legal/1/entry.js', integrity: 'sha384-entry' }],
  };
  const { html, policy } = renderDocument({ ...parts, composed });
  const renderWith = (text: string) =>
    renderDocument({ ...parts, composed: { ...composed, pageStyles: [style('page', text)] } });

  test('inlines its styles in order, which the security policy allows, and fetches none', () => {
    expect(html).toContain('<div id="daybook-page"><main><h1>Terms</h1></main></div>');
    expect(html).not.toContain('<noscript>');
    expect(html).toContain('<style>body{margin:0}\n.a{color:red}</style>');
    expect(policy).toContain(`style-src 'self' ${inlineSources(html, 'style').join(' ')};`);
    expect(html.match(/<link rel="stylesheet"[^>]*>/g)).toEqual(['<link rel="stylesheet" href="/page.css" disabled>']);
  });

  test('links its scripts after the content, and preloads those of the remote from a template after the first paint', () => {
    const preload =
      '<link rel="preload" as="script" href="/remotes/mf-legal/1/entry.js" integrity="sha384-entry" crossorigin>';
    expect(html).toContain(`<template id="preloads">\n${preload}\n</template>`);
    expect(html.indexOf('<script defer')).toBeGreaterThan(html.indexOf('</main>'));
    expectScripts(3, html, policy);
  });

  test('of text only has its scripts in a template, and a third inline script, which the security policy allows', () => {
    const text = renderDocument({ ...parts, composed: { ...composed, hydrate: 'on-interaction' } });
    const [, template = ''] = /<template id="later-scripts">(.*?)<\/template>/s.exec(text.html) ?? [];
    const rest = text.html.replace(template, '');
    expect(template.match(/<script defer|<link rel="preload"/g)).toEqual(['<script defer', '<link rel="preload"']);
    expect(rest).not.toMatch(/<script defer|<link rel="preload"/);
    expectScripts(3, rest, text.policy);
  });

  test.each([
    ['has a relative URL', '.a{background:url(a.svg)}'],
    ['has a character that an HTML parser replaces', '.a{\r\n}'],
    ['imports another style', '@import "b.css";'],
    ['would end its element', '.a::after{content:"</style>"}'],
  ])('links its styles if one %s', (_what, text) => {
    const linked = renderWith(text);
    expect(linked.html).not.toContain('<style>');
    expect(linked.html).toContain('<link rel="stylesheet" href="/page.css" integrity="sha384-page" crossorigin>');
    expect(linked.policy).toContain("style-src 'self';");
  });

  test('inlines a style with absolute addresses and data', () => {
    const text = '.a{src:url(/assets/a.woff2),url("/assets/a.woff2"),url(data:image/png;base64,)}';
    expect(renderWith(text).html).toContain(text);
  });
});

describe('the metadata of a page', () => {
  const terms = routeOf('/terms', { title: 'Terms of Service', description: 'The terms & more.' });
  const headOf = (route: typeof terms | undefined) => renderPageHead(route, parts.publicUrl);

  test("has its canonical URL, and title, text and picture for sharing, whose words are the picture's", () => {
    expect(headOf(terms)).toEqual(
      expect.arrayContaining([
        '<link rel="canonical" href="https://daybook.example/terms">',
        '<meta property="og:title" content="Terms of Service | Daybook">',
        '<meta property="og:description" content="The terms &amp; more.">',
        '<meta property="og:url" content="https://daybook.example/terms">',
        '<meta property="og:image" content="https://daybook.example/social-card.png">',
        `<meta property="og:image:alt" content="Terms of Service | Daybook. ${socialCard.text}">`,
      ]),
    );
    const picture = readFileSync(new URL('../../pictures/social-card.html', import.meta.url), 'utf8');
    const words = [...picture.matchAll(/<(?:p|small)>(.+)<\//g)].map(([, text]) => text);
    expect(words.join(' ')).toBe(socialCard.text);
  });

  test("excludes a page with noIndex and unknown paths from search engines, whose head has no other page's words", () => {
    const noIndex = '<meta name="robots" content="noindex">';
    expect(headOf(terms)).not.toContain(noIndex);
    expect(headOf({ ...terms, noIndex: true })).toContain(noIndex);
    const head = headOf(undefined).join('\n');
    expect(head).toContain(noIndex);
    expect(head).not.toMatch(/canonical|og:url/);
    expect(head).not.toContain(site.description);
    expect(head).toContain('<meta name="description" content="There is no page at this address of Daybook.">');
  });
});
