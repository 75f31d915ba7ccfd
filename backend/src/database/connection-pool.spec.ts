import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ConnectionPool } from './connection-pool.ts';

/** What connection attempts fail with; `undefined` while they succeed. */
let failure: Error | undefined;
let attempts = 0;

class FakeClient extends EventEmitter {
  readonly _queryable = true;
  connect(done: (error?: Error) => void) {
    attempts += 1;
    setImmediate(done, failure);
  }
  end(done: () => void) {
    done();
  }
}

const poolOf = (max: number) =>
  new ConnectionPool({ max, connectionTimeoutMillis: 3_000, Client: FakeClient as never });
const withCode = (code: string, message = code) => Object.assign(new Error(message), { code });

/** Returns what becomes of a call: `undefined` while it waits. */
function follow(call: Promise<unknown>) {
  const result: { value?: unknown } = {};
  call.then(
    () => {
      result.value = 'connected';
    },
    (error) => {
      result.value = error;
    },
  );
  return result;
}

beforeEach(() => {
  jest.useFakeTimers();
  attempts = 0;
});
afterEach(() => {
  jest.useRealTimers();
});

test.each(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', '57P03', '53300'])(
  'a call waits up to four seconds while connections fail with %s',
  async (code) => {
    failure = withCode(code);
    const [short, long] = [follow(poolOf(10).connect()), follow(poolOf(10).connect())];
    await jest.advanceTimersByTimeAsync(3_500);
    expect([short.value, long.value]).toEqual([undefined, undefined]);
    await jest.advanceTimersByTimeAsync(1_500);
    expect(long.value).toBe(failure);

    const restarted = follow(poolOf(10).connect());
    await jest.advanceTimersByTimeAsync(3_500);
    failure = undefined;
    await jest.advanceTimersByTimeAsync(200);
    expect(restarted.value).toBe('connected');
  },
);

test.each(['28P01', '3D000'])('a call fails at once if the server rejects it with %s', async (code) => {
  failure = withCode(code);
  const call = follow(poolOf(10).connect());
  await jest.advanceTimersByTimeAsync(50);
  expect(call.value).toBe(failure);
});

test('a call fails if no connection becomes free, without the wait for a server', async () => {
  failure = undefined;
  const pool = poolOf(1);
  await Promise.all([pool.connect(), jest.advanceTimersByTimeAsync(1)]);
  const call = follow(pool.connect());
  await jest.advanceTimersByTimeAsync(3_001);
  expect(call.value).toMatchObject({ message: 'timeout exceeded when trying to connect' });
});

test('of all calls that wait, one tries ten times a second, and a thousand wait at most', async () => {
  failure = withCode('ECONNREFUSED');
  const pool = poolOf(10);
  const first = follow(pool.connect());
  await jest.advanceTimersByTimeAsync(10);
  const waiting = Array.from({ length: 999 }, () => follow(pool.connect()));
  await jest.advanceTimersByTimeAsync(1_000);
  expect(attempts).toBeLessThanOrEqual(12);
  const oneMore = follow(pool.connect());
  await jest.advanceTimersByTimeAsync(10);
  expect(oneMore.value).toBe(failure);
  failure = undefined;
  await jest.advanceTimersByTimeAsync(200);
  expect(first.value).toBe('connected');
  expect(waiting.filter(({ value }) => value !== undefined)).toHaveLength(9);
});

test('a call behind a pooler leaves out the parameters of sessions and names of statements, and reports it once', async () => {
  const [onPooler, query] = [jest.fn(), jest.fn()];
  const Client = class extends FakeClient {
    constructor(options: { readonly statement_timeout?: number }) {
      super();
      if (options.statement_timeout === undefined) failure = undefined;
    }
    query(config: object, _values: undefined, done: () => void) {
      query(config);
      done();
    }
  };
  const pool = new ConnectionPool({ Client: Client as never, statement_timeout: 4_000, onPooler } as never);
  failure = undefined;
  await Promise.all([pool.prepared('add', 'SELECT $1', [1]), jest.advanceTimersByTimeAsync(1)]);
  expect(query).toHaveBeenLastCalledWith({ name: 'add', text: 'SELECT $1', values: [1] });
  failure = withCode('08P01', 'unsupported startup parameter: statement_timeout');
  const calls = [follow(pool.connect()), follow(pool.connect())];
  await jest.advanceTimersByTimeAsync(10);
  expect(calls.map(({ value }) => value)).toEqual(['connected', 'connected']);
  expect(onPooler).toHaveBeenCalledTimes(1);
  await Promise.all([pool.prepared('add', 'SELECT $1', [1]), jest.advanceTimersByTimeAsync(1)]);
  expect(query).toHaveBeenLastCalledWith({ text: 'SELECT $1', values: [1] });
});
