import { defaultSiteSettings, pageDataElementId } from '@daybook/contract';
import { describe, expect, test } from '@jest/globals';
import { routeOf } from '../test/temporary-site.ts';
import { type DocumentParts, renderDocument } from './document.ts';

const parts: DocumentParts = {
  route: routeOf('/terms', { title: 'Terms of Service', description: 'The terms.' }),
  manifest: {
    version: '1.0.0-00000001',
    scripts: [{ file: 'shell.0a1b2c3d.js', integrity: 'sha384-script' }],
    styles: [{ file: 'shell.0a1b2c3d.css', integrity: 'sha384-style' }],
  },
  publicUrl: 'https://daybook.example',
  data: { registry: { remotes: [], missing: [] }, settings: defaultSiteSettings },
};

const dataIn = (html: string): unknown => {
  const [, json = ''] = new RegExp(`id="${pageDataElementId}">(.*?)</script>`, 's').exec(html) ?? [];
  return JSON.parse(json);
};

describe('the document of a page', () => {
  test('has title and description of the route', () => {
    const html = renderDocument(parts);
    expect(html).toContain('<title>Terms of Service | Daybook</title>');
    expect(html).toContain('<meta name="description" content="The terms.">');
  });

  test('shows whatever stands in title and description as text', () => {
    const nasty = `"><script>alert('&')</script>`;
    const html = renderDocument({ ...parts, route: routeOf('/terms', { title: nasty, description: nasty }) });
    const escaped = "&quot;&gt;&lt;script&gt;alert('&amp;')&lt;/script&gt;";
    expect(html).toContain(`<title>${escaped} | Daybook</title>`);
    expect(html).toContain(`<meta name="description" content="${escaped}">`);
    expect(html).not.toContain('<script>alert');
  });

  test('hands over its data unharmed, and no text in it can end the script', () => {
    const supportAddress = '</script><!--<script>alert(1)\u2028@x';
    const data = { ...parts.data, settings: { ...defaultSiteSettings, supportAddress } };
    const html = renderDocument({ ...parts, data });
    expect(dataIn(html)).toEqual(data);
    expect(html.match(/<\/script>/g)).toHaveLength(2);
    expect(html).not.toContain('<!--');
  });

  test.each([
    ['an ordinary page may be found', routeOf('/terms'), false],
    ['a page that says so may not', routeOf('/terms', { noIndex: true }), true],
    ['an unknown path may not', undefined, true],
  ])('for search engines: %s', (_rule, route, hidden) => {
    expect(renderDocument({ ...parts, route }).includes('<meta name="robots" content="noindex">')).toBe(hidden);
  });

  test('says of an unknown path what it is', () => {
    expect(renderDocument({ ...parts, route: undefined })).toContain('<title>404 Page Not Found | Daybook</title>');
  });

  test('starts script and style of the shell with their integrity', () => {
    const html = renderDocument(parts);
    expect(html).toContain(
      '<script defer src="/assets/shell.0a1b2c3d.js" integrity="sha384-script" crossorigin></script>',
    );
    expect(html).toContain(
      '<link rel="stylesheet" href="/assets/shell.0a1b2c3d.css" integrity="sha384-style" crossorigin>',
    );
  });

  test('has no script or style of its own that the security policy would block', () => {
    const html = renderDocument(parts);
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
    expect(html.match(/<script(?![^>]*(?:\ssrc=|type="application\/json"))/g)).toBeNull();
  });

  test('reloads itself in development alone', () => {
    expect(renderDocument(parts)).not.toContain('reload.js');
    expect(renderDocument({ ...parts, reloadScript: { address: '/reload.js', integrity: 'sha384-x' } })).toContain(
      '<script defer src="/reload.js" integrity="sha384-x" crossorigin></script>',
    );
  });
});
