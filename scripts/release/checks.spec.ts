import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Release, releaseSchema } from '@daybook/contract/release';
import { copyRepository } from '@daybook/testing/repository-copy';
import { expect, test } from '@jest/globals';
import { checkFormat, checkLinks, checkPaths } from './checks.ts';

const releaseOf = (name: string, paths: readonly string[], redirects = {}): Release =>
  releaseSchema.parse({
    name,
    version: '1.0.0-000000000001',
    api: 1,
    entry: 'remoteEntry.js',
    routes: paths.map((each) => ({ path: each, title: each, description: each, frame: 'site', files: [] })),
    redirects,
    files: { 'remoteEntry.js': { integrity: `sha384-${'A'.repeat(64)}`, size: 7 } },
  });

test('a path of another remote is refused with its owner', () => {
  const release = releaseOf('mf-legal', ['/terms']);
  expect(() => checkPaths(release, [])).not.toThrow();
  expect(() => checkPaths(release, [releaseOf('mf-press', ['/terms'])])).toThrow(
    '/terms of mf-legal@1.0.0-000000000001 belongs to mf-press@1.0.0-000000000001. Give the page another path',
  );
});

test('a redirect to no page of the site is refused', () => {
  const release = releaseOf('mf-legal', ['/terms'], { '/old': '/faq' });
  expect(() => checkPaths(release, [releaseOf('mf-press', ['/faq'])])).not.toThrow();
  expect(() => checkPaths(release, [])).toThrow('/faq, which is no page of the site');
});

test('links lead to pages of the site', () => {
  const { path: folder, remove } = mkdtempDisposableSync(path.join(tmpdir(), 'daybook-checks-'));
  writeFileSync(path.join(folder, 'terms.html'), '<a href="/faq">Questions</a>');
  const { routes, ...rest } = releaseOf('mf-legal', ['/terms']);
  const release = { ...rest, routes: routes.map((route) => ({ ...route, fragment: 'terms.html' })) };
  const check = (others: readonly Release[]) => checkLinks({ folder, release, text: '' }, others);
  expect(() => check([releaseOf('mf-press', ['/faq'])])).not.toThrow();
  expect(() => check([])).toThrow('/terms links to /faq, which is no page of the site.');
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
