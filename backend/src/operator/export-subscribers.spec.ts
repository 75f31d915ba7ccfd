import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { csv, jsonLines } from './export-subscribers.ts';

const header = 'name,note\r\n';

test.each<[field: unknown, written: string]>([
  ['Ada "Countess", é – 你好', '"Ada ""Countess"", é – 你好"'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r=1"'],
  ['＝1', "'＝1"],
  ['=cmd|"/c calc"!A1', `"'=cmd|""/c calc""!A1"`],
  ['Ada\n=1+1', '"Ada\n=1+1"'],
  ['Ada\r=1+1', '"Ada\r=1+1"'],
  ['Ada\r\n=1+1', '"Ada\r\n=1+1"'],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
  [['a', 'b'], 'a;b'],
  [null, ''],
  [7, '7'],
])('CSV has the field %j as %j: quoted so that it starts no row, and never run as a formula', async (name, written) => {
  expect(await text(Readable.from([{ name, note: 'x' }]).pipe(csv(['name', 'note'])))).toBe(
    `${header}${written},x\r\n`,
  );
});

test('CSV has a header without rows too', async () => {
  expect(await text(Readable.from([]).pipe(csv(['name', 'note'])))).toBe(header);
});

test.each([[[]], [[{ name: '=1' }]], [[{ name: 'a' }, { name: null }]]])(
  'JSON is an array with one row per line: %j',
  async (rows: readonly object[]) => {
    const written = await text(Readable.from(jsonLines(Readable.from(rows))));
    expect(JSON.parse(written)).toEqual(rows);
    expect(written.trim().split('\n')).toHaveLength(rows.length === 0 ? 1 : rows.length + 2);
  },
);
