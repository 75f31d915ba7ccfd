import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { contractVersion, type Release } from '@daybook/contract/release';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { checkLinks, removedPages } from './links.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'daybook-links-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

let written = 0;

/** Writes a release with these pages, by path. */
function write(pages: Readonly<Record<string, string>>, name = 'mf-legal') {
  const folder = path.join(root, String(written++));
  mkdirSync(folder);
  const routes = Object.entries(pages).map(([routePath, html], index) => {
    writeFileSync(path.join(folder, `${index}.html`), html);
    const texts = { title: 'Title', description: 'Text.', frame: 'site' as const };
    return { path: routePath, ...texts, files: [], fragment: `${index}.html` };
  });
  const version = '1.0.0-00000001';
  const release: Release = {
    name,
    version,
    contract: contractVersion,
    designSystem: null,
    entry: '',
    routes,
    files: {},
  };
  return { folder, release };
}

const link = (href: string) => `<p>See <a class="c1" href="${href}">this</a>.</p>`;
const terms = (...hrefs: readonly string[]) => ({
  '/terms': `<h2 id="how-to-stop">How to stop</h2><h2 id="größe">Größe</h2>${hrefs.map(link).join('')}`,
  '/privacy-policy': '<h2 id="your-rights">Your rights</h2>',
});
const check = (
  pages: Readonly<Record<string, string>>,
  published?: Readonly<Record<string, string>>,
  { isIntended = false, areOthersKnown = true } = {},
) =>
  checkLinks(
    write(pages),
    published && write(published),
    areOthersKnown ? [write({ '/unsubscribe': '', '/': '' }, 'mf-privacy').release] : undefined,
    isIntended,
  );

describe('the links of a candidate', () => {
  test.each([
    '#how-to-stop',
    '#größe',
    '#gr%C3%B6%C3%9Fe',
    '#',
    '#main',
    '#how-to-stop:~:text=stop',
    '/privacy-policy#your-rights',
    '/privacy-policy/',
    'privacy-policy',
    '/unsubscribe?from=terms&amp;again=1#any',
    '/',
    '/api/docs',
    '/_releases',
    '/remotes/mf-offers/1.0.0-00000001/guide.0a1b2c3d.pdf',
    '/sitemap.xml',
    'https://elsewhere.example/nothing',
    'mailto:support@daybook.example',
  ])('may lead to %s', (href) => {
    expect(check(terms(href))).toBeUndefined();
  });

  test.each([
    ['#how-to-stay', 'names no section of /terms'],
    ['/privacy-policy#rights', 'names no section of /privacy-policy'],
    ['/privacy-polcy', 'is no page of any remote'],
    ['/Privacy_Policy', 'is no page of any remote'],
    ['//[', 'is no address'],
  ])('may not lead to %s', (href, problem) => {
    expect(() => check(terms(href, '/unsubscribe'))).toThrow(
      `/terms: its link to ${href} ${problem}\nCorrect the links; if the pages follow, as that of a remote that is released later: npm run release -w mf-legal -- --dead-links`,
    );
  });

  test('may lead to pages that follow, if that is intended', () => {
    expect(check(terms('/help', '#soon'), undefined, { isIntended: true })).toBe('2 that lead nowhere yet');
  });

  test('to other remotes are not checked while a release of theirs is not known', () => {
    expect(check(terms('/help'), undefined, { areOthersKnown: false })).toBeUndefined();
    expect(() => check(terms('#help'), undefined, { areOthersKnown: false })).toThrow('names no section');
  });

  test('may lead nowhere if those of the published release do, so another remote stops no release', () => {
    expect(check(terms('/gone'), terms('/gone'))).toBeUndefined();
    expect(() => check(terms('/gone', '/lost'), terms('/gone'))).toThrow(/^\/terms: its link to \/lost is/);
  });

  test('may not lead to a page that the candidate removes', () => {
    const { '/privacy-policy': _, ...rest } = terms('/privacy-policy');
    expect(() => check(rest, terms('/privacy-policy'))).toThrow('/terms: its link to /privacy-policy is no page');
  });
});

test('the removed pages of a candidate are those that only the published release has', () => {
  const published = write(terms());
  expect(removedPages(write({ '/terms': '', '/help': '' }), published)).toEqual(['/privacy-policy']);
  expect(removedPages(published, undefined)).toEqual([]);
});
