import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { contractVersion, type Release } from '@daybook/contract/release';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { changedPages, checkDates } from './changes.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'daybook-changed-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const integrity = `sha384-${'A'.repeat(64)}`;

/** Writes a release of two pages whose files contain its version, as a build's do. */
function write(number: number, texts: Readonly<Record<string, string>> = {}, changes: Partial<Release> = {}) {
  const hash = String(number).padStart(8, '0');
  const version = `1.0.0-${hash}`;
  const folder = path.join(root, hash);
  const nameOf = (part: string) => `${part}.${hash}.js`;
  mkdirSync(folder);
  for (const part of ['remoteEntry', 'terms', 'privacy'])
    writeFileSync(path.join(folder, nameOf(part)), `/remotes/mf-legal/${version}/ c${hash} ${texts[part] ?? part}`);
  const routeOf = (part: string) => ({ path: `/${part}`, title: part, description: part, frame: 'site' as const });
  const release: Release = {
    name: 'mf-legal',
    version,
    contract: contractVersion,
    designSystem: null,
    entry: nameOf('remoteEntry'),
    routes: ['terms', 'privacy'].map((part) => ({ ...routeOf(part), files: [nameOf(part)] })),
    files: Object.fromEntries(
      ['remoteEntry', 'terms', 'privacy'].map((part) => [nameOf(part), { integrity, size: 1 }]),
    ),
    ...changes,
  };
  writeFileSync(path.join(folder, 'release.json'), JSON.stringify(release));
  return { folder, release };
}
const changed = (...[texts, changes]: [Record<string, string>?, Partial<Release>?]) => [
  ...changedPages(write(2, texts, changes), write(1)),
];

describe('the changed pages of a candidate', () => {
  test('are those whose files differ in more than the version', () => {
    expect(changed({ terms: 'new terms' })).toEqual(['/terms']);
  });

  test('are none if only the version differs', () => {
    expect(changed()).toEqual([]);
  });

  test('are all that load a changed entry', () => {
    expect(changed({ remoteEntry: 'new' })).toEqual(['/terms', '/privacy']);
  });

  test('include one with another title', () => {
    const [terms, privacy] = write(3).release.routes.map((route) => ({ ...route, files: [] }));
    const routes = [{ ...terms, title: 'New' }, privacy] as Release['routes'];
    expect([...changedPages(write(2, {}, { routes }), write(1, {}, { routes: [terms, privacy] as never }))]).toEqual([
      '/terms',
    ]);
  });

  test('are all without a release to compare, or without its files', () => {
    expect([...changedPages(write(2), undefined)]).toEqual(['/terms', '/privacy']);
    expect([...changedPages(write(3), { ...write(4), folder: path.join(root, 'nothing') })]).toHaveLength(2);
  });
});

describe('the date of a changed text', () => {
  const pageOf = (words: string, date: string) =>
    `<h1 class="c1">Terms</h1><p>Last Updated: <time datetime="x">${date}</time></p>\n<p>${words}</p>`;

  /** Writes a release whose page /terms is this fragment. */
  function writePage(number: number, html: string) {
    const written = write(number);
    const [terms, ...others] = written.release.routes;
    const routes = [{ ...terms, fragment: 'terms.html' }, ...others] as Release['routes'];
    const release = { ...written.release, routes };
    writeFileSync(path.join(written.folder, 'terms.html'), html);
    writeFileSync(path.join(written.folder, 'release.json'), JSON.stringify(release));
    return { folder: written.folder, release };
  }
  let written = 0;
  const check = (before: string, now: string, isTypo = false) => {
    written += 2;
    return checkDates(writePage(written, now), writePage(written + 1, before), isTypo);
  };
  const published = pageOf('You may stop at any time.', 'May 20, 2025');

  test('has to change with the words', () => {
    const changed = pageOf('You may not stop.', 'May 20, 2025');
    expect(() => check(published, changed)).toThrow(
      'The text of /terms has changed, and is still dated May 20, 2025. Write the new date at the beginning of its Markdown file, as lastUpdated; if you only corrected its spelling: npm run release -w mf-legal -- --typo',
    );
    expect(check(published, pageOf('You may not stop.', 'June 1, 2025'))).toBe('/terms May 20, 2025 → June 1, 2025');
  });

  test('stays with --typo, which names the page', () => {
    expect(check(published, pageOf('You may stop any time.', 'May 20, 2025'), true)).toBe('/terms keeps May 20, 2025');
  });

  test('stays if only markup changed, or white space', () => {
    expect(check(published, published.replace('c1', 'c2').replace('\n', '\n\n '))).toBeUndefined();
  });

  test('is no matter of a page without one, or of a first release', () => {
    expect(check('<h1>Terms</h1>', '<h1>Terms of Service</h1>')).toBeUndefined();
    expect(checkDates(writePage(1, published), undefined, false)).toBeUndefined();
  });
});
