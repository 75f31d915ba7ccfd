import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '@daybook/testing/workspaces';
import { expect, test } from '@jest/globals';

const rows = readFileSync(path.join(root, 'docs/coverage.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!statement)/.test(line))
  .map((line) => line.split(' | '))
  .map(([statement = '', named = '']) => ({ statement: statement.slice(2), named: named.replace(/ \|$/, '') }));

test.each(rows)('docs/coverage.md names a test that exists, or other rows, for: $statement', ({ named }) => {
  if (/^sections? [\d and]+ above$/.test(named)) return;
  const [, file = '', title = ''] = /^`([^`]+\.spec\.tsx?) › ([^`]+)`$/.exec(named) ?? [];
  expect(file).not.toBe('');
  expect(existsSync(path.join(root, file))).toBe(true);
  const whole = ["'", '"', '`'].map((quote) => quote + title + quote);
  const source = readFileSync(path.join(root, file), 'utf8').replaceAll("\\'", "'");
  expect(whole.some((quoted) => source.includes(quoted))).toBe(true);
});
