import { expect, test } from '@jest/globals';
import { connectionOf } from './postgres-programs.ts';

test.each([
  ['postgres://ada:p%40ss%2Fword@db:5432/daybook', 'postgres://ada@db:5432/daybook', 'p@ss/word'],
  ['postgresql://ada:x@db/daybook?sslmode=require', 'postgresql://ada@db/daybook?sslmode=require', 'x'],
  ['postgres://ada@db/daybook?password=x', 'postgres://ada@db/daybook', 'x'],
])('the password of %s is no part of the command line', (url, address, password) => {
  expect(connectionOf(url)).toEqual({ address, environment: { PGPASSWORD: password } });
});

test('an address without a password leaves it to the settings of PostgreSQL', () => {
  expect(connectionOf('postgres://ada@db/daybook')).toEqual({ address: 'postgres://ada@db/daybook', environment: {} });
});
