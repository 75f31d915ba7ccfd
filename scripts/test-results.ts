import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '@daybook/runner/workspaces';
import type { JSONReport, JSONReportSuite } from 'playwright/types/testReporter';

/** Numbers of passed and skipped tests, and a line for each that failed, with the reason. */
export interface TestResults {
  readonly passed: number;
  readonly failures: readonly string[];
  readonly skipped: number;
}

/** Returns a line with the name of a failed test and the beginning of its error: of a long log, often only the end is kept. */
function failure(name: string, message = ''): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .flatMap((line) => line.trim() || []);
  return [name, ...lines.slice(0, 8)].join(' | ').slice(0, 700);
}

/** Reads the output of `jest --json`; a file that could not run counts as one failure. */
export function readJestResults(file: string): TestResults {
  const { testResults, numPassedTests, numPendingTests } = JSON.parse(readFileSync(file, 'utf8'));
  const failures: string[] = [];
  for (const { name, status, message, assertionResults } of testResults) {
    const spec = path.relative(root, name);
    const failed = assertionResults.filter((each: { status: string }) => each.status === 'failed');
    for (const { fullName, failureMessages } of failed)
      failures.push(failure(`${spec} › ${fullName}`, failureMessages[0]));
    if (status === 'failed' && failed.length === 0) failures.push(failure(`${spec} could not run`, message));
  }
  return { passed: numPassedTests, failures, skipped: numPendingTests };
}

const failuresIn = ({ specs, suites = [] }: JSONReportSuite): string[] => [
  ...specs.flatMap(({ file, line, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => failure(`${file}:${line} › ${title}`, results.find(({ error }) => error)?.error?.message)),
  ),
  ...suites.flatMap(failuresIn),
];

/** Reads the output of Playwright's JSON reporter; flaky tests and errors outside of tests count as failed. */
export function readPlaywrightResults(file: string): TestResults {
  const { suites, stats, errors }: JSONReport = JSON.parse(readFileSync(file, 'utf8'));
  const failures = [
    ...suites.flatMap(failuresIn),
    ...errors.map(({ message }) => failure('outside of tests', message)),
  ];
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
    ...failures.map((name) => `Failed: ${name}`),
    `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  ].join('\n');
