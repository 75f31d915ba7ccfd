import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '@daybook/runner/workspaces';
import { expect, test } from '@jest/globals';

/** Returns whether the last column of a row, such as `folder/file.spec.ts › title`, names an existing test, or one of a team. */
function namesTest(named: string): boolean {
  const [, file = '', title] = /^`([^`]+[.-]spec\.tsx?)(?: › ([^`]+))?`$/.exec(named) ?? [];
  // A team may rename and move its tests.
  if (/^mf-/.test(file)) return existsSync(path.join(root, file.split('/', 1).join()));
  if (title === undefined || !existsSync(path.join(root, file))) return false;
  const source = readFileSync(path.join(root, file), 'utf8').replaceAll("\\'", "'");
  return ["'", '"', '`'].some((quote) => source.includes(quote + title + quote));
}

test('every row of docs/coverage.md names an existing test', () => {
  const rows = readFileSync(path.join(root, 'docs/coverage.md'), 'utf8')
    .split('\n')
    .filter((line) => /^\| (?!statement)/.test(line))
    .map((line) => line.split(' | ')[1]?.replace(/ \|$/, '') ?? line);
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter((named) => !namesTest(named))).toEqual([]);
});

test('each word of docs/words.md is defined in a file that exists', () => {
  const text = readFileSync(path.join(root, 'docs/words.md'), 'utf8');
  const files = Array.from(text.matchAll(/\| `([^`]+)` \|$/gm), ([, file = '']) => file);
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});
