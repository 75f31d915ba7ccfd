import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';

const root = path.join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const teams = read('docs/teams.md');
const table = read('docs/words.md');

/** Words of the former releases, which were polled from origins; each would be a second name of something, or of nothing. */
const gone = [
  'mirror',
  'intake',
  'withheld',
  'withdrawn',
  'pinned',
  'fetcher',
  'newest signature',
  'poll',
  'trusted key',
  'candidate',
  'served releases',
  'gate',
];
const goneInCode = [...gone, 'origin', 'registry copy', 'remote origin', 'description'];

/** The words of a name: `liveSnapshot` becomes `live snapshot`. */
const wordsOf = (name: string) =>
  name
    .replaceAll(/[_-]/g, ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();

interface Exported {
  readonly type: string;
  readonly declaration?: {
    readonly id?: { readonly value?: string };
    readonly identifier?: { readonly value?: string };
    readonly declarations?: readonly { readonly id: { readonly value?: string } }[];
  };
}

/** Returns the names that a file exports. */
function exportedNames(file: string): readonly string[] {
  const { body } = parseSync(read(file), { syntax: 'typescript', target: 'es2024' }) as { body: readonly Exported[] };
  return body
    .filter(({ type }) => type === 'ExportDeclaration')
    .flatMap(({ declaration: { id, identifier, declarations = [] } = {} }) =>
      [id, identifier, ...declarations.map((each) => each.id)].flatMap((each) => each?.value ?? []),
    );
}

const files = globSync('packages/releases/src/**/*.ts', { cwd: root }).filter(
  (file) => !/\.spec\.ts$|\/test\//.test(file),
);
const names = files.flatMap((file) => exportedNames(file).map((name) => `${wordsOf(name)} (${name} in ${file})`));

/** The words that this package or the contract of releases defines, and those in italics, which are kinds of one of them. */
const words = [...table.matchAll(/^\| ([a-z]+) \| .* \| `packages\/(?:releases|contract\/src\/release)\/.*` \|$/gm)]
  .map(([, word = '']) => word)
  .concat('canary', 'preview');

test('every word of releases is a name in the code, which exports no word of former releases', () => {
  expect(words).toEqual(expect.arrayContaining(['release', 'manifest', 'key', 'registry', 'deployment', 'audience']));
  const code = files.map(read).map(wordsOf).join('\n');
  expect(words.filter((word) => !code.includes(word))).toEqual([]);
  const isGone = (text: string) =>
    goneInCode.some((word) => new RegExp(`\\b${word}(?:s|ed|ing)?\\b`).test(text.replace(/ \(.*/, '')));
  expect(names.filter(isGone)).toEqual([]);
  expect(names.length).toBeGreaterThan(50);
});

test('the documents for teams have none of the words of former releases', () => {
  const text = (teams + table).toLowerCase();
  expect([...gone, 'origin'].filter((word) => new RegExp(`\\b${word}(?:s|ed|ing)?\\b`).test(text))).toEqual([]);
  expect(teams.split('\n').length).toBeLessThanOrEqual(200);
});
