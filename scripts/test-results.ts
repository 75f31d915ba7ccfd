import { readFileSync } from 'node:fs';

/** How many tests a runner saw pass, fail and be skipped. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface JestResults {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly numPendingTests: number;
}

interface PlaywrightResults {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
  readonly errors: readonly unknown[];
}

/** Reads what `jest --json` wrote; a file that could not run at all counts as one failure. */
export function readJestResults(file: string): TestCounts {
  const results = JSON.parse(readFileSync(file, 'utf8')) as JestResults;
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    skipped: results.numPendingTests,
  };
}

/** Reads what Playwright's JSON reporter wrote; a flaky test counts as failed, an error outside of tests as well. */
export function readPlaywrightResults(file: string): TestCounts {
  const { stats, errors } = JSON.parse(readFileSync(file, 'utf8')) as PlaywrightResults;
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped };
}

/** The counts of several runners together. */
export function sumCounts(counts: readonly TestCounts[]): TestCounts {
  return counts.reduce(
    (sum, each) => ({
      passed: sum.passed + each.passed,
      failed: sum.failed + each.failed,
      skipped: sum.skipped + each.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/** The closing line of a test run. */
export function countsLine({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
