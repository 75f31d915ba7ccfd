import { describe, expect, test } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { isDatabaseUnavailable } from './database-unavailable.ts';

const withCode = (code: string) => Object.assign(new Error('x'), { code });
const failedQuery = (cause: Error) => new QueryFailedError('SELECT 1', [], cause);

describe('the database counts as unavailable', () => {
  test.each([
    ['a refused connection', withCode('ECONNREFUSED')],
    ['an unknown host name', withCode('ENOTFOUND')],
    ['refused connections on every address of a host name', new AggregateError([withCode('ECONNREFUSED')])],
    ['a shutdown of the server', failedQuery(withCode('57P01'))],
    ['a connection attempt while the server starts', withCode('57P03')],
    ['too many connections to the server', withCode('53300')],
    ['a write to a server that became a replica', failedQuery(withCode('25006'))],
    ['a statement timeout', failedQuery(withCode('57014'))],
    ['a connection timeout of the pool', new Error('timeout exceeded when trying to connect')],
    ['a terminated connection', failedQuery(new Error('Connection terminated unexpectedly'))],
    ['a read timeout of a query', failedQuery(new Error('Query read timeout'))],
  ])('after %s', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
  });
});

describe('the database does not count as unavailable', () => {
  test.each([
    ['a violated constraint', failedQuery(withCode('23505'))],
    ['a missing table', failedQuery(withCode('42P01'))],
    ['a programming error', new TypeError('undefined is not a function')],
    ['a value that is not an Error', 'ECONNREFUSED'],
  ])('after %s', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});
