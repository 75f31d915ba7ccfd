import { expect, test } from '@jest/globals';
import { alignColumns } from './formats.ts';

test('each row of a table is one printable line, whatever its cells contain', () => {
  const rows = [
    ['a\n\u001b[31m', '1', 'x'],
    ['bc', '20', ''],
  ];
  expect(alignColumns(rows, [1])).toEqual(['a\ufffd\ufffd[31m   1  x', 'bc       20']);
});
