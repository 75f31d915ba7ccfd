import { beforeEach, describe, expect, test } from '@jest/globals';
import { FailedAttempts, mostAttempts } from './failed-attempts.ts';

let now = 0;
let attempts: FailedAttempts;
beforeEach(() => {
  now = 1_000_000;
  attempts = new FailedAttempts(() => now);
});
const fail = (network: string, times: number) => {
  for (let each = 0; each < times; each += 1) attempts.count(network);
};

describe('a network', () => {
  test('may try until it has failed ten times within a minute', () => {
    fail('192.0.2.1', mostAttempts - 1);
    expect(attempts.waitOf('192.0.2.1')).toBe(0);
    fail('192.0.2.1', 1);
    now += 20_000;
    expect(attempts.waitOf('192.0.2.1')).toBe(40);
  });

  test('may try again after the minute', () => {
    fail('192.0.2.1', mostAttempts);
    now += 60_000;
    expect(attempts.waitOf('192.0.2.1')).toBe(0);
  });

  test('does not wait for what another one does', () => {
    fail('192.0.2.1', mostAttempts);
    expect(attempts.waitOf('192.0.2.2')).toBe(0);
  });

  test('is still counted where very many others have failed', () => {
    fail('192.0.2.1', 1);
    for (let each = 0; each < 4_000; each += 1) attempts.count(`network ${each}`);
    fail('192.0.2.1', mostAttempts - 1);
    expect(attempts.waitOf('192.0.2.1')).toBeGreaterThan(0);
    expect(attempts.waitOf('192.0.2.2')).toBe(0);
  });
});
