import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { csvLines, jsonLines } from './export-subscribers.ts';

const header = '"name","note"\r\n';

const csvOf = (rows: readonly object[]) => text(csvLines(['name', 'note'])(Readable.from(rows)));

test.each<[field: unknown, written: string]>([
  ['Ada "Countess", é – 你好', 'Ada ""Countess"", é – 你好'],
  ['=1+1', "'=1+1"],
  ['＝1', "'＝1"],
  ['Ada;=1+1', "Ada;'=1+1"],
  ['Ada-Eve + 1 = 2', 'Ada-Eve + 1 = 2'],
  ['Ada\r\n=1+1', 'Ada��=1+1'],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
  [['=a', '=b'], "'=a;'=b"],
  [null, ''],
])('CSV has the field %j as %j', async (name, written) => {
  expect(await csvOf([{ name, note: 'x' }])).toBe(`${header}"${written}","x"\r\n`);
});

test('no program that splits the CSV at any delimiter finds a formula or another row', async () => {
  const unit = fc.constantFrom(...'=+-@＝＋－＠;,|"\' \t\r\n\v\u0085\u2028\u00a0\ufeff\u009b\u202eaé1');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ name: fc.string({ unit }), note: fc.string({ unit }) })), async (rows) => {
      const lines = (await csvOf(rows)).split('\r\n');
      expect([lines.length, lines.pop()]).toEqual([rows.length + 2, '']);
      for (const line of lines) {
        expect(line).toMatch(/^"(?:[^"]|"")*","(?:[^"]|"")*"$/);
        for (const cell of line.split(/[;,|]/)) expect(cell).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/);
      }
    }),
  );
});

test.each([[[]], [[{ name: 'a' }, { name: null }]]])('JSON has a row per line: %j', async (rows: readonly object[]) => {
  const written = await text(Readable.from(jsonLines(Readable.from(rows))));
  expect(JSON.parse(written)).toEqual(rows);
  expect(written.trim().split('\n')).toHaveLength(rows.length === 0 ? 1 : rows.length + 2);
});
