import { readFileSync } from 'node:fs';

/** Numbers of passed, failed and skipped tests. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Reads the output of `jest --json`; a file that could not run counts as one failure. */
export function readJestResults(file: string): TestCounts {
  const results = JSON.parse(readFileSync(file, 'utf8'));
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    skipped: results.numPendingTests,
  };
}

/** Reads the output of Playwright's JSON reporter; flaky tests and errors outside of tests count as failed. */
export function readPlaywrightResults(file: string): TestCounts {
  const { stats, errors } = JSON.parse(readFileSync(file, 'utf8'));
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped };
}

export const sumCounts = (counts: readonly TestCounts[]): TestCounts =>
  counts.reduce(
    (sum, each) => ({
      passed: sum.passed + each.passed,
      failed: sum.failed + each.failed,
      skipped: sum.skipped + each.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );

/** Formats the last line of a test run, which .ci/run parses. */
export const countsLine = ({ passed, failed, skipped }: TestCounts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
