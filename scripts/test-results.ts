import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '@daybook/testing/workspaces';
import type { JSONReport, JSONReportSuite, JSONReportTest } from 'playwright/types/testReporter';

export interface TestResults {
  readonly passed: number;
  readonly failures: readonly string[];
  readonly skipped: number;
}

export const noResults: TestResults = { passed: 0, failures: [], skipped: 0 };

/** Returns a line with the name of a failed test and the beginning of its error. */
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

/** Returns the tests in a suite and those below it, with their names; files are relative to a folder. */
const testsIn = (folder: string, { specs, suites = [] }: JSONReportSuite): { name: string; test: JSONReportTest }[] => [
  ...specs.flatMap(({ file, line, title, tests }) =>
    tests.map((test) => ({ name: `${path.join(folder, file)}:${line} › ${title}`, test })),
  ),
  ...suites.flatMap((suite) => testsIn(folder, suite)),
];

/** Reads the output of Playwright's JSON reporter; flaky tests and errors outside of tests count as failed. */
export function readPlaywrightResults(file: string): TestResults {
  const { suites, stats, errors, config }: JSONReport = JSON.parse(readFileSync(file, 'utf8'));
  const tests = suites.flatMap((suite) => testsIn(path.relative(root, config.rootDir), suite));
  const failed = tests.filter(({ test: { status } }) => status === 'unexpected' || status === 'flaky');
  const failures = [
    ...failed.map(({ name, test: { results } }) => failure(name, results.find(({ error }) => error)?.error?.message)),
    ...errors.map(({ message }) => failure('outside of tests', message)),
  ];
  return { passed: stats.expected, failures, skipped: stats.skipped };
}

/** Formats the end of a test run: a line for each failure, then the counts. .ci/run parses the last line. */
export function summary(results: readonly TestResults[]): string {
  const [passed, skipped] = (['passed', 'skipped'] as const).map((key) =>
    results.reduce((sum, each) => sum + each[key], 0),
  );
  const failures = results.flatMap((each) => each.failures);
  const counts = `${passed} passed, ${failures.length} failed${skipped ? `, ${skipped} skipped` : ''}`;
  return [...failures.map((name) => `Failed: ${name}`), counts].join('\n');
}
