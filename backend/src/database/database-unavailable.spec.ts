import { expect, test } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { isDatabaseUnavailable } from './database-unavailable.ts';

const withCode = (code: string) => Object.assign(new Error('x'), { code });
const failedQuery = (cause: Error) => new QueryFailedError('SELECT 1', [], cause);

test.each<[what: string, error: unknown, isUnavailable: boolean]>([
  ['a refused connection', withCode('ECONNREFUSED'), true],
  ['an unknown host name', withCode('ENOTFOUND'), true],
  ['refused connections on every address of a name', new AggregateError([withCode('ECONNREFUSED')]), true],
  ['a shutdown of the server', failedQuery(withCode('57P01')), true],
  ['a connection attempt while the server starts', withCode('57P03'), true],
  ['too many connections to the server', withCode('53300'), true],
  ['a write to a server that became a replica', failedQuery(withCode('25006')), true],
  ['a statement timeout', failedQuery(withCode('57014')), true],
  ['a connection timeout of the pool', new Error('timeout exceeded when trying to connect'), true],
  ['a terminated connection', failedQuery(new Error('Connection terminated unexpectedly')), true],
  ['a read timeout of a query', failedQuery(new Error('Query read timeout')), true],
  ['a violated constraint', failedQuery(withCode('23505')), false],
  ['a missing table', failedQuery(withCode('42P01')), false],
  ['a programming error', new TypeError('undefined is not a function'), false],
  ['a value that is not an Error', 'ECONNREFUSED', false],
])('the database counts as unavailable, or not, after %s', (_what, error, isUnavailable) => {
  expect(isDatabaseUnavailable(error)).toBe(isUnavailable);
});
