import { expect, test } from '@jest/globals';
import { parseSourceMap, sourcePosition } from './source-position.ts';

/** Source map of a script whose columns 0, 10 and 20 are the first lines of three sources. */
const map = parseSourceMap(
  JSON.stringify({
    version: 3,
    names: [],
    sources: [
      'webpack://mf-legal@1.0.0-3f9ac2d10b7e/../node_modules/react/index.js',
      'webpack://mf-legal@1.0.0-3f9ac2d10b7e/./src/pages/terms.tsx?shared',
      'webpack://mf-legal@1.0.0-3f9ac2d10b7e/../packages/ui/src/button.tsx',
    ],
    mappings: 'AAAA,UCAA,UCAA',
  }),
);
const positionOf = (stack: string) => sourcePosition(stack, (name) => (name === '7.js' ? map : undefined), 'mf-legal');
const at = (...columns: readonly number[]) =>
  columns.map((column) => `\n    at f (http://site/7.js:1:${column})`).join('');

test.each([
  [`Error${at(1, 11, 21)}`, 'mf-legal/src/pages/terms.tsx:1:1'],
  [`Error\n    at g (http://site/shell.js:1:1)${at(21)}`, 'packages/ui/src/button.tsx:1:1'],
  [`Error${at(1)}`, undefined],
])('the source of the error %j is the first place in it that is code of this repository: %p', (stack, position) => {
  expect(positionOf(stack)).toBe(position);
});
