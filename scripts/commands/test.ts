import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findBrowser } from '@daybook/testing/browser';
import { exitCode, startNode } from '@daybook/testing/processes';
import { root } from '@daybook/testing/workspaces';
import { buildStale } from '../build-stale.ts';
import { runChecks } from '../check-steps.ts';
import { jestEnvironment, jestParameters, jestProgram } from '../jest-run.ts';
import { CommandError, runCommand } from '../run-command.ts';
import { countsLine, readJestResults, readPlaywrightResults, sumCounts, type TestCounts } from '../test-results.ts';

const resultsFolder = path.join(root, 'test-results');
const noResult: TestCounts = { passed: 0, failed: 1, skipped: 0 };

async function runTests(
  program: string,
  parameters: readonly string[],
  environment: Record<string, string>,
  results: string,
  read: (file: string) => TestCounts,
) {
  rmSync(results, { force: true });
  const code = await exitCode(startNode([path.join(root, 'node_modules', program), ...parameters], { environment }));
  const counts = existsSync(results) ? read(results) : noResult;
  // A runner that fails without a failed test has one that it does not count.
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

function runUnitsAndIntegration(filters: readonly string[]): Promise<TestCounts> {
  const results = path.join(resultsFolder, 'jest.json');
  return runTests(jestProgram, [...jestParameters(results), ...filters], jestEnvironment, results, readJestResults);
}

async function runEndToEnd(filters: readonly string[]): Promise<TestCounts> {
  const browser = findBrowser();
  console.log(`Browser: ${browser}`);
  await buildStale(console.log);
  const results = path.join(resultsFolder, 'playwright.json');
  const environment = { BROWSER_PATH: browser, PLAYWRIGHT_RESULTS: results };
  return runTests(
    '@playwright/test/cli.js',
    ['test', '--config', path.join(root, 'e2e/playwright.config.ts'), ...filters],
    environment,
    results,
    readPlaywrightResults,
  );
}

const steps: Readonly<Record<string, (filters: readonly string[]) => Promise<TestCounts>>> = {
  units: runUnitsAndIntegration,
  e2e: runEndToEnd,
};

/**
 * `npm test`: checks, unit and integration tests, and the assembled site in a browser.
 * `npm test -- units [filter …]` or `npm test -- e2e [filter …]` runs one of them alone.
 */
await runCommand(async () => {
  const [only, ...filters] = process.argv.slice(2);
  if (only !== undefined && !Object.hasOwn(steps, only)) {
    throw new CommandError(`There is no test step “${only}”; write npm test, npm test -- units, or npm test -- e2e.`);
  }
  mkdirSync(resultsFolder, { recursive: true });
  const failedChecks = only ? [] : await runChecks(console.log);
  const counts: TestCounts[] = [];
  for (const [name, run] of Object.entries(steps)) {
    if (only === undefined || only === name) counts.push(await run(filters));
  }
  const sum = sumCounts(counts);
  if (failedChecks.length > 0) console.error(`\nFailed checks: ${failedChecks.join(', ')}`);
  console.log(`\n${countsLine(sum)}`);
  if (sum.failed > 0 || failedChecks.length > 0) process.exitCode = 1;
});
