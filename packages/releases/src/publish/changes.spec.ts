import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Release } from '@daybook/contract/release';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { integrity, releaseOf, routeOf } from '../test/releases.ts';
import { makeTemporaryFolder } from '../test/temporary-folder.ts';
import { changedPages, checkDates } from './changes.ts';

let root: string;
let builds: number;
beforeEach(() => {
  root = makeTemporaryFolder();
  builds = 0;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Builds a release of two pages whose files contain its version; `texts` by the name of a page, a file or the entry. */
function build(texts: Readonly<Record<string, string>> = {}, titleOfTerms = 'Terms') {
  builds += 1;
  const hash = String(builds).padStart(8, '0');
  const version = `1.0.0-${hash}`;
  const folder = path.join(root, hash);
  const nameOf = (part: string) => `${part}.${hash}.js`;
  mkdirSync(folder);
  for (const part of ['remoteEntry', 'terms', 'privacy'])
    writeFileSync(path.join(folder, nameOf(part)), `/remotes/mf-legal/${version}/ c${hash} ${texts[part] ?? part}`);
  if (texts.fragment) writeFileSync(path.join(folder, 'terms.html'), texts.fragment);
  const fragment = texts.fragment === undefined ? {} : { fragment: 'terms.html' };
  const routes: Release['routes'] = [
    routeOf('/terms', { title: titleOfTerms, files: [nameOf('terms')], ...fragment }),
    routeOf('/privacy', { files: [nameOf('privacy')] }),
  ];
  const files = Object.fromEntries(
    ['remoteEntry', 'terms', 'privacy'].map((part) => [nameOf(part), { integrity, size: 1 }]),
  );
  return { folder, release: releaseOf('mf-legal', { version, entry: nameOf('remoteEntry'), routes, files }) };
}

test('the changed pages are those whose files differ in more than the version, or all if none can be compared', () => {
  const changed = (...parameters: Parameters<typeof build>) => [...changedPages(build(...parameters), build())];
  expect(changed()).toEqual([]);
  expect(changed({ terms: 'new terms' })).toEqual(['/terms']);
  expect(changed({}, 'Another title')).toEqual(['/terms']);
  expect(changed({ remoteEntry: 'new' })).toEqual(['/terms', '/privacy']);
  for (const published of [undefined, { ...build(), folder: path.join(root, 'nothing') }])
    expect([...changedPages(build(), published)]).toEqual(['/terms', '/privacy']);
});

describe('the date of a changed text', () => {
  const pageOf = (words: string, date: string) =>
    `<h1 class="c1">Terms</h1><p>Last Updated: <time datetime="x">${date}</time></p>\n<p>${words}</p>`;
  const published = pageOf('You may stop at any time.', 'May 20, 2025');
  const check = (before: string, now: string, isTypo = false) =>
    checkDates(build({ fragment: now }), build({ fragment: before }), isTypo);

  test('has to change with the words', () => {
    expect(() => check(published, pageOf('You may not stop.', 'May 20, 2025'))).toThrow(
      'The text of /terms has changed, and is still dated May 20, 2025. Write the new date at the beginning of its Markdown file, as lastUpdated; if you only corrected its spelling: npm run release -w mf-legal -- --typo',
    );
    expect(check(published, pageOf('You may not stop.', 'June 1, 2025'))).toBe('/terms May 20, 2025 → June 1, 2025');
  });

  test('stays with --typo, which names the page', () => {
    expect(check(published, pageOf('You may stop any time.', 'May 20, 2025'), true)).toBe('/terms keeps May 20, 2025');
  });

  test('stays if only markup or white space changed, on a page without one, and in a first release', () => {
    expect(check(published, published.replace('c1', 'c2').replace('\n', '\n\n '))).toBeUndefined();
    expect(check('<h1>Terms</h1>', '<h1>Terms of Service</h1>')).toBeUndefined();
    expect(checkDates(build({ fragment: published }), undefined, false)).toBeUndefined();
  });
});
