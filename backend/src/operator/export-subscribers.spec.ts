import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { csv, jsonLines } from './export-subscribers.ts';

const asCsv = (rows: readonly object[], columns = ['name', 'note']) => text(Readable.from(rows).pipe(csv(columns)));

describe('CSV', () => {
  test('follows RFC 4180: CRLF, and quotes where needed', async () => {
    expect(
      await asCsv([
        { name: 'Ada "Countess"', note: 'a, b' },
        { name: 'two\nlines', note: 'é – 你好' },
      ]),
    ).toBe('name,note\r\n"Ada ""Countess""","a, b"\r\n"two\nlines",é – 你好\r\n');
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', '=cmd|"/c calc"!A1', "='x'"])(
    'escapes a field that a spreadsheet would run as a formula: %j',
    async (formula) => {
      const [, line = ''] = (await asCsv([{ name: formula, note: '' }])).split('name,note\r\n');
      expect(line.replace(/^"/, '')).toMatch(/^'/);
      expect(line).toBe(line.startsWith('"') ? `"'${formula.replaceAll('"', '""')}",\r\n` : `'${formula},\r\n`);
    },
  );

  test.each(['\n', '\r', '\r\n'])('quotes a name with %j, so that it does not start a new row', async (end) => {
    expect(await asCsv([{ name: `Ada${end}=1+1,x`, note: '' }])).toBe(`name,note\r\n"Ada${end}=1+1,x",\r\n`);
  });

  test('formats times as ISO 8601, joins lists, and leaves missing values empty', async () => {
    const row = { name: new Date(0), note: ['a', 'b'], more: null, count: 7 };
    expect(await asCsv([row], ['name', 'note', 'more', 'count'])).toBe(
      'name,note,more,count\r\n1970-01-01T00:00:00.000Z,a;b,,7\r\n',
    );
  });

  test('has a header without rows too', async () => {
    expect(await asCsv([])).toBe('name,note\r\n');
  });
});

test.each([[[]], [[{ name: '=1' }]], [[{ name: 'a' }, { name: null }]]])(
  'JSON is an array with one row per line: %j',
  async (rows: readonly object[]) => {
    const written = await text(Readable.from(jsonLines(Readable.from(rows))));
    expect(JSON.parse(written)).toEqual(rows);
    expect(written.trim().split('\n')).toHaveLength(rows.length === 0 ? 1 : rows.length + 2);
  },
);
