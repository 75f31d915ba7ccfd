import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { countsLine, readJestResults, readPlaywrightResults, sumCounts } from './test-results.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-results-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function fileOf(results: object): string {
  const file = path.join(folder, 'results.json');
  writeFileSync(file, JSON.stringify(results));
  return file;
}

test('a file that Jest could not run counts as a failure beside the failed tests', () => {
  const results = { numPassedTests: 40, numFailedTests: 2, numRuntimeErrorTestSuites: 1, numPendingTests: 3 };
  expect(readJestResults(fileOf(results))).toEqual({ passed: 40, failed: 3, skipped: 3 });
});

describe('what Playwright reports', () => {
  test('counts a flaky test as failed', () => {
    const results = { stats: { expected: 10, unexpected: 1, flaky: 2, skipped: 4 }, errors: [] };
    expect(readPlaywrightResults(fileOf(results))).toEqual({ passed: 10, failed: 3, skipped: 4 });
  });

  test('counts an error outside of tests as failed', () => {
    const results = { stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }, errors: [{ message: 'no server' }] };
    expect(readPlaywrightResults(fileOf(results))).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

test('the counts of several runners add up', () => {
  const sum = sumCounts([
    { passed: 40, failed: 1, skipped: 0 },
    { passed: 2, failed: 0, skipped: 5 },
  ]);
  expect(sum).toEqual({ passed: 42, failed: 1, skipped: 5 });
  expect(sumCounts([])).toEqual({ passed: 0, failed: 0, skipped: 0 });
});

test('the closing line names skipped tests only where there are some', () => {
  expect(countsLine({ passed: 42, failed: 0, skipped: 0 })).toBe('42 passed, 0 failed');
  expect(countsLine({ passed: 42, failed: 1, skipped: 5 })).toBe('42 passed, 1 failed, 5 skipped');
});
