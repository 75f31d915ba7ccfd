import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { releaseOf, routeOf } from '@daybook/testing/releases';
import { copyRepository } from '@daybook/testing/repository-copy';
import { expect, test } from '@jest/globals';
import { checkFormat, checkLinks, checkPaths } from './checks.ts';

const press = (page: string) => releaseOf('mf-press', { routes: [routeOf(page)] });

test('a path of another remote, or a redirect to no page of the site, is refused', () => {
  const release = releaseOf('mf-legal', { routes: [routeOf('/terms')], redirects: { '/old': '/faq' } });
  expect(() => checkPaths(release, [press('/faq')])).not.toThrow();
  expect(() => checkPaths(release, [press('/terms')])).toThrow(
    /^\/terms of mf-legal@\S+ belongs to mf-press@\S+\. Give the page another path.*\n.*\/faq, which is no page/,
  );
});

test('a page that visitors have needs a redirect before it is gone', () => {
  const active = releaseOf('mf-legal', { routes: ['/terms', '/old', '/faq'].map((page) => routeOf(page)) });
  const release = releaseOf('mf-legal', { routes: [routeOf('/terms')] });
  expect(() => checkPaths(release, [press('/faq')], active)).toThrow(/^\/old is gone, .*$/);
  expect(() => checkPaths({ ...release, redirects: { '/old': '/terms' } }, [press('/faq')], active)).not.toThrow();
});

test('links lead to pages of the site', () => {
  const { path: folder, remove } = mkdtempDisposableSync(path.join(tmpdir(), 'daybook-checks-'));
  writeFileSync(path.join(folder, 'terms.html'), '<a href="/faq">Questions</a>');
  const release = releaseOf('mf-legal', { routes: [routeOf('/terms', { fragment: 'terms.html' })] });
  const check = (page: string) => checkLinks({ folder, release, text: '' }, [press(page)]);
  expect(() => check('/faq')).not.toThrow();
  expect(() => check('/press')).toThrow('/terms links to /faq, which is no page of the site.');
  remove();
});

test('a package that is not declared is named with the command that adds it', async () => {
  const copy = copyRepository(['.gitignore', 'biome.json', 'package.json', 'packages/ui', 'mf-legal']);
  copy.write('mf-legal/src/undeclared.ts', "import { atom } from 'jotai';\n\nexport { atom };\n");
  try {
    await expect(checkFormat('mf-legal', copy.folder)).rejects.toThrow(
      /mf-legal\/src\/undeclared\.ts:1:22[\s\S]*To fix it: npm install --save-exact jotai@\d+\.\d+\.\d+ -w mf-legal$/,
    );
  } finally {
    copy.remove();
  }
});
