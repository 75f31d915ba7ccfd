import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { csvLines } from './export-subscribers.ts';

test.each<[field: unknown, written: string]>([
  ['Ada "Countess", é – 你好', 'Ada ""Countess"", é – 你好'],
  ['=1+1', "'=1+1"],
  ['Ada;=1+1', "Ada;'=1+1"],
  ['Ada\r\n=1+1', 'Ada��=1+1'],
  [['=a', '=b'], "'=a;'=b"],
])('CSV has the field %j as %j', async (name, written) => {
  const lines = csvLines(['name', 'note'])(Readable.from([{ name, note: 'x' }]));
  expect(await text(lines)).toBe(`"name","note"\r\n"${written}","x"\r\n`);
});
