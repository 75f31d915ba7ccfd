import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '@daybook/runner/workspaces';
import type { JSONReport, JSONReportSuite, JSONReportTest } from 'playwright/types/testReporter';

/** Numbers of passed and skipped tests, and a line for each that failed, with the reason. */
export interface TestResults {
  readonly passed: number;
  readonly failures: readonly string[];
  readonly skipped: number;
  /** Durations in ms: of spec files in Jest, whose setup counts, and of single tests in browsers, which run in parallel. */
  readonly durations: readonly Duration[];
}

type Duration = readonly [name: string, milliseconds: number];

/** Results of a part that ran no test. */
export const noResults: TestResults = { passed: 0, failures: [], skipped: 0, durations: [] };

/** Number of the slowest files and tests that are printed. */
const slowestShown = 10;

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
  const durations: Duration[] = [];
  for (const { name, status, message, assertionResults, startTime, endTime } of testResults) {
    const spec = path.relative(root, name);
    durations.push([spec, endTime - startTime]);
    const failed = assertionResults.filter((each: { status: string }) => each.status === 'failed');
    for (const { fullName, failureMessages } of failed)
      failures.push(failure(`${spec} › ${fullName}`, failureMessages[0]));
    if (status === 'failed' && failed.length === 0) failures.push(failure(`${spec} could not run`, message));
  }
  return { passed: numPassedTests, failures, skipped: numPendingTests, durations };
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
  const durations = tests.map(
    ({ name, test: { results } }) => [name, results.reduce((sum, { duration }) => sum + duration, 0)] as const,
  );
  return { passed: stats.expected, failures, skipped: stats.skipped, durations };
}

export const sumResults = (results: readonly TestResults[]): TestResults => ({
  passed: results.reduce((sum, { passed }) => sum + passed, 0),
  failures: results.flatMap(({ failures }) => failures),
  skipped: results.reduce((sum, { skipped }) => sum + skipped, 0),
  durations: results.flatMap(({ durations }) => durations),
});

/** Returns the slowest files and tests, a line each. */
const slowest = (durations: readonly Duration[]): readonly string[] =>
  durations
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, slowestShown)
    .map(([name, milliseconds]) => `${(milliseconds / 1000).toFixed(1).padStart(8)} s  ${name}`);

/** Formats the end of a test run: the slowest, a line for each failure, then the counts. .ci/run parses the last two. */
export const summary = ({ passed, failures, skipped, durations }: TestResults): string =>
  [
    'Slowest spec files, and tests in a browser:',
    ...slowest(durations),
    '',
    ...failures.map((name) => `Failed: ${name}`),
    `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  ].join('\n');
