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
  void call
    .then(
      () => 'connected',
      (error) => error,
    )
    .then((value) => Object.assign(result, { value }));
  return result;
}

beforeEach(() => {
  jest.useFakeTimers();
  attempts = 0;
});
afterEach(() => {
  jest.useRealTimers();
});

test('calls wait up to four seconds for a server, with ten attempts a second', async () => {
  failure = withCode('ECONNREFUSED');
  const pool = poolOf(10);
  const calls = Array.from({ length: 50 }, () => follow(pool.connect()));
  await jest.advanceTimersByTimeAsync(3_500);
  expect(calls.some(({ value }) => value)).toBe(false);
  expect(attempts).toBeLessThan(50 + 40);
  await jest.advanceTimersByTimeAsync(1_500);
  expect(calls.every(({ value }) => value === failure)).toBe(true);

  const restarted = follow(pool.connect());
  await jest.advanceTimersByTimeAsync(3_500);
  failure = undefined;
  await jest.advanceTimersByTimeAsync(200);
  expect(restarted.value).toBe('connected');
});

test('a call fails at once if the server rejects it', async () => {
  failure = withCode('3D000');
  const call = follow(poolOf(10).connect());
  await jest.advanceTimersByTimeAsync(50);
  expect(call.value).toBe(failure);
});
