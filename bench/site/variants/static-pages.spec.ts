import { expect, test } from '@jest/globals';
import { joinStyles } from './static-pages.ts';

const sheet = (address: string, text: string) => ({ address: `http://site${address}`, text });

test('the style sheets of a page become one, whose addresses lead where they led', () => {
  const joined = joinStyles([
    sheet('/assets/shell.css', '@font-face{src:url(serif.woff2)}'),
    sheet(
      '/remotes/mf-legal/1/1.css',
      '.a{background:url("../../x.svg?1")}.b{background:url(data:image/png;base64,A)}',
    ),
    sheet('/terms', '.c{background:url(/y.svg);fill:url(#z)}'),
  ]);
  expect(joined.split('\n')).toEqual([
    '@font-face{src:url(/assets/serif.woff2)}',
    '.a{background:url("/remotes/x.svg?1")}.b{background:url(data:image/png;base64,A)}',
    '.c{background:url(/y.svg);fill:url(#z)}',
  ]);
});

test('what is inlined and linked as well is there once', () => {
  const joined = joinStyles([sheet('/', '.a{}'), sheet('/a.css', '.a{}.b{}'), sheet('/b.css', '.a{}.b{}')]);
  expect(joined).toBe('.a{}.b{}');
});
