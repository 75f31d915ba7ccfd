import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { csvLines, jsonLines } from './export-subscribers.ts';

const header = '"name","note"\r\n';

const csvOf = (rows: readonly object[]) => text(csvLines(['name', 'note'])(Readable.from(rows)));

test.each<[field: unknown, written: string]>([
  ['Ada "Countess", é – 你好', 'Ada ""Countess"", é – 你好'],
  ['=1+1', "'=1+1"],
  ['Ada;=1+1', "Ada;'=1+1"],
  ['Ada\r\n=1+1', 'Ada��=1+1'],
  [['=a', '=b'], "'=a;'=b"],
])('CSV has the field %j as %j', async (name, written) => {
  expect(await csvOf([{ name, note: 'x' }])).toBe(`${header}"${written}","x"\r\n`);
});

test.each([[[]], [[{ name: 'a' }, { name: null }]]])('JSON has a row per line: %j', async (rows: readonly object[]) => {
  const written = await text(Readable.from(jsonLines(Readable.from(rows))));
  expect(JSON.parse(written)).toEqual(rows);
  expect(written.trim().split('\n')).toHaveLength(rows.length === 0 ? 1 : rows.length + 2);
});
