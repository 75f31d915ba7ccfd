import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { affectedBrowserTests, affectedTests, changedPackages, type ImportGraph, reachedFrom } from './affected.ts';

const lockfile = (
  versions: Readonly<Record<string, string>>,
  dependencies: Readonly<Record<string, string[]>> = {},
) => ({
  packages: Object.fromEntries(
    Object.entries(versions).map(([name, version]) => [
      `node_modules/${name}`,
      { version, dependencies: Object.fromEntries((dependencies[name] ?? []).map((each) => [each, '*'])) },
    ]),
  ),
});

test('a package counts as changed with all packages that depend on it', () => {
  const dependencies = { tooltip: ['popper'], popper: ['@floating/core'], other: [] };
  const before = lockfile({ tooltip: '1', popper: '1', '@floating/core': '1', other: '1', gone: '1' }, dependencies);
  const after = lockfile({ tooltip: '1', popper: '1', '@floating/core': '2', other: '1', added: '1' }, dependencies);
  expect([...changedPackages(before, after)].sort()).toEqual(['@floating/core', 'added', 'gone', 'popper', 'tooltip']);
});

test('nothing has changed between equal lockfiles', () => {
  const same = lockfile({ a: '1', b: '2' }, { a: ['b'], b: ['a'] });
  expect([...changedPackages(same, same)]).toEqual([]);
});

const graph: ImportGraph = new Map([
  ['packages/ui/button.tsx', ['packages/ui/names.ts']],
  ['packages/ui/names.ts', ['node_modules/clsx/index.js']],
  ['packages/ui/button.spec.tsx', ['packages/ui/button.tsx']],
  ['shell/server/main.ts', ['shell/server/pages.ts']],
  ['shell/server/pages.ts', []],
  ['shell/server/started.spec.ts', []],
  ['e2e/pages/terms.spec.ts', ['e2e/support.ts']],
  ['e2e/support.ts', []],
]);
const changes = (files: readonly string[], packages: readonly string[] = []) => ({
  files,
  packages: new Set(packages),
});

test('a file reaches itself and what it imports, also in a cycle', () => {
  const names = fc.constantFrom('a', 'b', 'c', 'd');
  fc.assert(
    fc.property(fc.array(fc.tuple(names, fc.array(names))), names, (entries, start) => {
      const cyclic: ImportGraph = new Map(entries);
      const reached = reachedFrom(start, cyclic);
      expect(reached.has(start)).toBe(true);
      for (const file of reached)
        for (const imported of cyclic.get(file) ?? []) expect(reached.has(imported)).toBe(true);
    }),
  );
});

test('a unit test is affected by the files and packages that it imports, and only by those', () => {
  const names = (affected: readonly { readonly name: string }[]) => affected.map(({ name }) => name);
  expect(names(affectedTests(changes(['packages/ui/names.ts']), graph, []))).toEqual(['packages/ui/button.spec.tsx']);
  expect(affectedTests(changes([], ['clsx']), graph, [])).toEqual([
    { name: 'packages/ui/button.spec.tsx', because: ['clsx'] },
  ]);
  expect(affectedTests(changes(['README.md', 'shell/server/pages.ts']), graph, [])).toEqual([]);
});

test('all tests of a server are affected with it: some start it as a process', () => {
  const parts = [{ name: 'shell server', because: ['shell/server/pages.ts'] }];
  expect(affectedTests(changes(['shell/server/pages.ts']), graph, parts)).toEqual([
    { name: 'shell/server/started.spec.ts', because: ['the shell server is affected'] },
  ]);
});

test('a browser test is affected by what it imports, and by any part but remotes that it does not name', () => {
  const browserTests = (files: readonly string[], name?: string) =>
    affectedBrowserTests(changes(files), graph, name ? [{ name, because: files }] : [], () => ['/press']);
  expect(browserTests(['e2e/support.ts'])).toEqual([{ name: 'e2e/pages/terms.spec.ts', because: ['e2e/support.ts'] }]);
  expect(browserTests(['shell/server/pages.ts'], 'shell server')).toEqual([
    { name: 'e2e/pages/terms.spec.ts', because: ['the shell server is affected'] },
  ]);
  expect(browserTests(['mf-legal/src/page.tsx'], 'mf-legal')).toEqual([]);
});
