import { readFileSync } from 'node:fs';

/** How many tests a runner saw pass, fail and be skipped. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Reads what `jest --json` wrote; a file that could not run at all counts as one failure. */
export function readJestResults(file: string): TestCounts {
  const results = JSON.parse(readFileSync(file, 'utf8'));
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    skipped: results.numPendingTests,
  };
}

/** Reads what Playwright's JSON reporter wrote; a flaky test counts as failed, an error outside of tests as well. */
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

/** The last line of a test run; .ci/run reads it. */
export const countsLine = ({ passed, failed, skipped }: TestCounts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
