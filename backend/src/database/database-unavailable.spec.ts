import { describe, expect, test } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { isDatabaseUnavailable } from './database-unavailable.ts';

const withCode = (code: string) => Object.assign(new Error('x'), { code });
const failedQuery = (cause: Error) => new QueryFailedError('SELECT 1', [], cause);

describe('the database counts as unavailable', () => {
  test.each([
    ['refused connections', withCode('ECONNREFUSED')],
    ['a name that is not found', withCode('ENOTFOUND')],
    ['refused connections on every address of a name', new AggregateError([withCode('ECONNREFUSED')])],
    ['a server that shuts down', failedQuery(withCode('57P01'))],
    ['a server that starts up', withCode('57P03')],
    ['a server without free connections', withCode('53300')],
    ['a server that became a replica', failedQuery(withCode('25006'))],
    ['a statement that took too long', failedQuery(withCode('57014'))],
    ['a pool without free connections', new Error('timeout exceeded when trying to connect')],
    ['a connection cut in the middle', failedQuery(new Error('Connection terminated unexpectedly'))],
    ['a server that hangs', failedQuery(new Error('Query read timeout'))],
  ])('after %s', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
  });
});

describe('the database does not count as unavailable', () => {
  test.each([
    ['a violated constraint', failedQuery(withCode('23505'))],
    ['a missing table', failedQuery(withCode('42P01'))],
    ['an error of our own', new TypeError('undefined is not a function')],
    ['something that is no error', 'ECONNREFUSED'],
  ])('after %s', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});
