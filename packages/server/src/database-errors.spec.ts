import { expect, test } from '@jest/globals';
import { databaseStateOf } from './database-errors.ts';

const withCode = (code: string) => Object.assign(new Error('x'), { code });
/** An error as TypeORM throws it. */
const failedQuery = (cause: Error) => Object.assign(new Error('x'), { driverError: cause });

test.each<[what: string, error: unknown, state: string, isTemporary: boolean]>([
  ['a refused connection', withCode('ECONNREFUSED'), 'cannot be reached', true],
  ['an unknown host name', withCode('ENOTFOUND'), 'cannot be reached', true],
  [
    'refused connections on every address of a name',
    new AggregateError([withCode('ECONNREFUSED')]),
    'cannot be reached',
    true,
  ],
  ['a shutdown', failedQuery(withCode('57P01')), 'is starting, stopping or recovering', true],
  ['an attempt while the server starts', withCode('57P03'), 'is starting, stopping or recovering', true],
  ['a connection exception', withCode('08006'), 'cannot be reached', true],
  ['a parameter that a pooler rejects', withCode('08P01'), 'has a pooler that rejects the connection', true],
  ['a full disk', failedQuery(withCode('53100')), 'has no disk space left', true],
  ['a lack of memory', failedQuery(withCode('53200')), 'is out of memory', true],
  ['too many connections', withCode('53300'), 'has too many connections', true],
  ['another lack', withCode('53400'), 'is out of resources', true],
  ['a failed read of a file', failedQuery(withCode('58030')), 'cannot use its files', true],
  ['a write to a standby', failedQuery(withCode('25006')), 'is read-only', true],
  ['a statement timeout', failedQuery(withCode('57014')), 'took too long for a statement', true],
  ['a connection timeout of the pool', new Error('timeout exceeded when trying to connect'), 'cannot be reached', true],
  ['a connection timeout of the client', new Error('timeout expired'), 'cannot be reached', true],
  ['a terminated connection', failedQuery(new Error('Connection terminated unexpectedly')), 'cannot be reached', true],
  ['a read timeout of a query', failedQuery(new Error('Query read timeout')), 'cannot be reached', true],
  [
    'a connection that broke between two statements of a transaction',
    new Error('Query runner already released. Cannot run queries anymore.'),
    'cannot be reached',
    true,
  ],
  ['a wrong password', withCode('28P01'), 'rejects the login', false],
  ['an unknown role', withCode('28000'), 'rejects the login', false],
  ['a missing database', withCode('3D000'), 'does not exist under this name', false],
  ['a missing privilege', failedQuery(withCode('42501')), 'gives this role too few privileges', false],
  ['a missing table', failedQuery(withCode('42P01')), 'has another schema version', false],
  ['a missing column', failedQuery(withCode('42703')), 'has another schema version', false],
  ['a missing prepared statement', failedQuery(withCode('26000')), 'has a pooler without prepared statements', false],
  ['a damaged index', failedQuery(withCode('XX002')), 'reports damaged data', false],
])('%s says what the state of the database is', (_what, error, state, isTemporary) => {
  expect(databaseStateOf(error)).toMatchObject({ state, isTemporary });
});

test.each<[what: string, error: unknown]>([
  ['a violated constraint', failedQuery(withCode('23505'))],
  ['a programming error', new TypeError('undefined is not a function')],
  ['a value that is not an Error', 'ECONNREFUSED'],
])('%s says nothing about the database', (_what, error) => {
  expect(databaseStateOf(error)).toBeUndefined();
});
