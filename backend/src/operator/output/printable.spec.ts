import { expect, test } from '@jest/globals';
import { countOf, printable } from './printable.ts';

test('what a stranger wrote does not command the terminal, nor turn its text around', () => {
  expect(printable('Ada\u001b[31m\u202e\n')).toBe('Ada�[31m��');
  expect(printable('Ada Lovelace, 你好 é')).toBe('Ada Lovelace, 你好 é');
});

test.each([
  [0, '0 addresses'],
  [1, '1 address'],
  [1234567, '1,234,567 addresses'],
])('%p is %s', (count, text) => {
  expect(countOf(count, 'address', 'addresses')).toBe(text);
});
