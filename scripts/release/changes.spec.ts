import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Release } from '@daybook/contract/release';
import { integrity, releaseOf, routeOf } from '@daybook/testing/releases';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { changedPages, checkDates, type DateOptions } from './changes.ts';

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
  const check = (before: string, now: string, options?: DateOptions) =>
    checkDates(build({ fragment: now }), build({ fragment: before }), options);
  beforeEach(() => void jest.useFakeTimers({ now: new Date('2025-06-01T12:00:00Z') }));
  afterEach(() => void jest.useRealTimers());

  test('has to change with the words', () => {
    expect(() => check(published, pageOf('You may not stop.', 'May 20, 2025'))).toThrow(
      'The text of /terms has changed, and is still dated May 20, 2025. It needs a new date. Write it at the beginning of its Markdown file, as lastUpdated; if you only corrected its spelling: npm run release mf-legal -- --typo',
    );
    expect(check(published, pageOf('You may not stop.', 'June 1, 2025'))).toBe('/terms May 20, 2025 → June 1, 2025');
  });

  test('stays with --typo, which names the page', () => {
    expect(check(published, pageOf('You may stop any time.', 'May 20, 2025'), { isTypo: true })).toBe(
      '/terms keeps May 20, 2025',
    );
  });

  test('stays if only markup or white space changed, on a page without one, and in a first release', () => {
    expect(check(published, published.replace('c1', 'c2').replace('\n', '\n\n '))).toBeUndefined();
    expect(check('<h1>Terms</h1>', '<h1>Terms of Service</h1>')).toBeUndefined();
    expect(checkDates(build({ fragment: published }), undefined)).toBeUndefined();
  });

  test.each([
    ['May 19, 2025', '/terms is dated May 19, 2025, before the published text of May 20, 2025. It needs a later date.'],
    ['June 3, 2026', '/terms is dated June 3, 2026, more than a year ahead. It needs an earlier date.'],
  ])('makes sense, with new words or the same, unless whoever releases insists: %s', (date, message) => {
    const how = 'Write it at the beginning of its Markdown file, as lastUpdated; if the date is right';
    for (const words of ['You may stop at any time.', 'You may not stop.']) {
      const now = pageOf(words, date);
      expect(() => check(published, now)).toThrow(`${message} ${how}: npm run release mf-legal -- --date-is-right`);
      expect(() => check(published, now, { isTypo: true })).toThrow(message);
      expect(check(published, now, { isDateRight: true })).toBe(`/terms May 20, 2025 → ${date}`);
    }
  });

  test('may be up to a year ahead, also in a first release, and stays right while the text is the published one', () => {
    expect(check(published, pageOf('You may not stop.', 'June 2, 2026'))).toBe('/terms May 20, 2025 → June 2, 2026');
    const tooLate = pageOf('You may stop.', 'June 3, 2062');
    expect(() => checkDates(build({ fragment: tooLate }), undefined)).toThrow('more than a year ahead');
    expect(check(tooLate, tooLate)).toBeUndefined();
    // Back from a slip of the year.
    expect(check(tooLate, pageOf('You may stop.', 'June 3, 2025'), { isDateRight: true })).toContain('→ June 3, 2025');
  });
});
