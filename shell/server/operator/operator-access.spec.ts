import { beforeEach, describe, expect, test } from '@jest/globals';
import { FailedAttempts, maxFailures, maxNetworks } from './operator-access.ts';

let now = 0;
let attempts: FailedAttempts;
beforeEach(() => {
  now = 1_000_000;
  attempts = new FailedAttempts(() => now);
});

/** Sends wrong tokens; returns how many of them were looked at. */
const guess = (network: string, times: number) =>
  Array.from({ length: times }, () => {
    if (attempts.waitOf(network) > 0) return 0;
    attempts.count(network);
    return 1;
  }).filter(Boolean).length;

describe('a network', () => {
  test('has to wait for the rest of the minute after ten wrong tokens', () => {
    expect(guess('192.0.2.1', 100)).toBe(maxFailures);
    now += 20_000;
    expect(attempts.waitOf('192.0.2.1')).toBe(40);
    now += 40_000;
    expect(attempts.waitOf('192.0.2.1')).toBe(0);
  });

  test('does not wait for what another one does', () => {
    guess('192.0.2.1', maxFailures);
    expect(attempts.waitOf('192.0.2.2')).toBe(0);
  });
});

describe('while the table is full', () => {
  const fill = () => {
    for (let network = 0; network < maxNetworks; network += 1) guess(`network ${network}`, 1);
  };

  test('no network can guess uncounted', () => {
    fill();
    expect(guess('192.0.2.1', 100)).toBe(0);
    expect(guess('network 7', 100)).toBe(maxFailures - 1);
  });

  test('a network that sent a right token before may sign in, and is counted', () => {
    attempts.waitOf('192.0.2.1');
    attempts.remember('192.0.2.1');
    fill();
    expect(attempts.waitOf('192.0.2.1')).toBe(0);
    expect(guess('192.0.2.1', 100)).toBe(maxFailures);
  });

  test('all others may sign in again with the next minute', () => {
    fill();
    expect(attempts.waitOf('192.0.2.1')).toBe(60);
    now += 60_000;
    expect(attempts.waitOf('192.0.2.1')).toBe(0);
  });
});
