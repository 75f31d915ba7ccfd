import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '@daybook/testing/workspaces';
import type { JSONReport, JSONReportSuite } from 'playwright/types/testReporter';

/** Numbers of passed and skipped tests, and the names of those that failed. */
export interface TestResults {
  readonly passed: number;
  readonly failures: readonly string[];
  readonly skipped: number;
}

/** Reads the output of `jest --json`; a file that could not run counts as one failure. */
export function readJestResults(file: string): TestResults {
  const { testResults, numPassedTests, numPendingTests } = JSON.parse(readFileSync(file, 'utf8'));
  const failures: string[] = [];
  for (const { name, status, assertionResults } of testResults) {
    const spec = path.relative(root, name);
    const failed = assertionResults.filter((each: { status: string }) => each.status === 'failed');
    for (const { fullName } of failed) failures.push(`${spec} › ${fullName}`);
    if (status === 'failed' && failed.length === 0) failures.push(`${spec} could not run`);
  }
  return { passed: numPassedTests, failures, skipped: numPendingTests };
}

const failuresIn = ({ specs, suites = [] }: JSONReportSuite): string[] => [
  ...specs.flatMap(({ file, line, title, tests }) =>
    tests.filter(({ status }) => status === 'unexpected' || status === 'flaky').map(() => `${file}:${line} › ${title}`),
  ),
  ...suites.flatMap(failuresIn),
];

/** Reads the output of Playwright's JSON reporter; flaky tests and errors outside of tests count as failed. */
export function readPlaywrightResults(file: string): TestResults {
  const { suites, stats, errors }: JSONReport = JSON.parse(readFileSync(file, 'utf8'));
  const failures = [...suites.flatMap(failuresIn), ...errors.map(({ message = '' }) => message)];
  return { passed: stats.expected, failures, skipped: stats.skipped };
}

export const sumResults = (results: readonly TestResults[]): TestResults => ({
  passed: results.reduce((sum, { passed }) => sum + passed, 0),
  failures: results.flatMap(({ failures }) => failures),
  skipped: results.reduce((sum, { skipped }) => sum + skipped, 0),
});

/** Formats the end of a test run: a line for each failure, then the counts. .ci/run parses both. */
export const summary = ({ passed, failures, skipped }: TestResults): string =>
  [
    ...failures.map((name) => `Failed: ${name.split('\n', 1)[0]}`),
    `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  ].join('\n');
