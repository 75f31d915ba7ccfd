import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { publishAims } from './aims.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-aims-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, data: object) => writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(data));

test('the table has the aims of all results that there are, in their order', () => {
  writeFileSync(path.join(folder, 'README.md'), '# Performance\n');
  write('server', { aims: [{ figure: 'requests', aim: '≥ 0.6', measured: '0.3 ×', met: false }] });
  write('pages', { aims: [{ figure: 'shift', aim: '0', measured: '0', met: true }] });
  write('api', { comparison: {} });
  publishAims(folder, ['pages', 'server', 'api', 'growth']);
  expect(readFileSync(path.join(folder, 'README.md'), 'utf8')).toBe(`# Performance

<!-- results: aims -->

| figure   | aim   | measured |        |
| -------- | ----- | -------- | ------ |
| shift    | 0     | 0        | met    |
| requests | ≥ 0.6 | 0.3 ×    | missed |

<!-- end: aims -->
`);
});
