import { expect, test } from '@jest/globals';
import { databaseStateOf } from './database-errors.ts';

const withCode = (code: string) => Object.assign(new Error('x'), { code });
/** An error as TypeORM throws it. */
const failedQuery = (cause: Error) => Object.assign(new Error('x'), { driverError: cause });

test.each<[what: string, error: unknown, state: string, isTemporary: boolean]>([
  ['a refused connection', withCode('ECONNREFUSED'), 'cannot be reached', true],
  ['refused connections on every address', new AggregateError([withCode('ECONNREFUSED')]), 'cannot be reached', true],
  ['a shutdown', failedQuery(withCode('57P01')), 'is starting, stopping or recovering', true],
  ['a terminated connection', failedQuery(new Error('Connection terminated unexpectedly')), 'cannot be reached', true],
  ['a wrong password', withCode('28P01'), 'rejects the login', false],
  ['a missing table', failedQuery(withCode('42P01')), 'has another schema version', false],
])('%s says what the state of the database is', (_what, error, state, isTemporary) => {
  expect(databaseStateOf(error)).toMatchObject({ state, isTemporary });
});

test('other errors say nothing about the database', () => {
  for (const error of [failedQuery(withCode('23505')), new TypeError('undefined is not a function'), 'ECONNREFUSED'])
    expect(databaseStateOf(error)).toBeUndefined();
});
