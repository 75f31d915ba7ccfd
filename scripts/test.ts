import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '@daybook/server/command-line';
import { findBrowser, installOtherEngines } from '@daybook/testing/browser';
import { findCompose } from '@daybook/testing/compose';
import { exitCode, startNode } from '@daybook/testing/processes';
import { remotes, root } from '@daybook/testing/workspaces';
import { build } from './build.ts';
import { runChecks } from './check-steps.ts';
import { caller } from './environment.ts';
import { runCommand } from './run-command.ts';
import { noResults, readJestResults, readPlaywrightResults, summary, type TestResults } from './test-results.ts';

const resultsFolder = path.join(root, 'test-results');

/** `core` blocks every change; `all` adds files named `*.full.spec.ts` and browser tests tagged `@full`. */
type Lane = 'core' | 'all';

async function runTests(
  program: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
  results: string,
  read: (file: string) => TestResults,
): Promise<TestResults> {
  rmSync(results, { force: true });
  const code = await exitCode(startNode([path.join(root, 'node_modules', program), ...parameters], { environment }));
  const ended = existsSync(results) ? read(results) : noResults;
  // A runner that fails without a failed test counts as one failure.
  if (code === 0 || ended.failures.length > 0) return ended;
  return { ...ended, failures: [`${program} ended with code ${code}`] };
}

export const jestEnvironment = { NODE_OPTIONS: '--experimental-vm-modules --no-warnings=ExperimentalWarning' };

export const jestParameters = (results: string) => ['--json', `--outputFile=${results}`];

const jestLanes: Readonly<Record<Lane, readonly string[]>> = {
  core: ['--testPathIgnorePatterns', String.raw`/node_modules/|\.full\.spec\.tsx?$`],
  all: [],
};

function runUnitsAndIntegration(lane: Lane, filters: readonly string[] = []): Promise<TestResults> {
  const results = path.join(resultsFolder, 'jest.json');
  const parameters = [...jestParameters(results), ...filters, ...jestLanes[lane]];
  return runTests('jest/bin/jest.js', parameters, jestEnvironment, results, readJestResults);
}

const playwrightLanes: Readonly<Record<Lane, readonly string[]>> = {
  core: ['--grep-invert', String.raw`@full|\.full\.spec\.ts`],
  all: [],
};

/** Runs Playwright with the configuration in a folder below e2e. */
async function runPlaywright(
  folder: string,
  parameters: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<TestResults> {
  const browser = findBrowser();
  console.log(`Browser: ${browser}`);
  await build(console.log);
  const results = path.join(resultsFolder, `${folder || 'playwright'}.json`);
  const config = ['test', '--config', path.join(root, 'e2e', folder, 'playwright.config.ts')];
  const environment = { ...variables, BROWSER_PATH: browser, PLAYWRIGHT_RESULTS: results };
  return runTests('@playwright/test/cli.js', [...config, ...parameters], environment, results, readPlaywrightResults);
}

function runInBrowser(lane: Lane, filters: readonly string[] = []): Promise<TestResults> {
  // Only the tests below e2e/engines need the other engines.
  if (lane !== 'core' && (filters.length === 0 || filters.some((filter) => filter.includes('engines'))))
    installOtherEngines();
  return runPlaywright('', [...playwrightLanes[lane], ...filters]);
}

async function runOnCompose(filters: readonly string[] = []): Promise<TestResults> {
  if (await findCompose()) return runPlaywright('compose', filters);
  console.log('Skipped: no Docker engine with Compose runs here. With one, npm run test:compose tests the stack.');
  return { ...noResults, skipped: 1 };
}

/** Runs parts in sequence, then prints the sum of their results. */
function runParts(...parts: readonly (() => Promise<TestResults>)[]): Promise<never> {
  return runCommand(async () => {
    mkdirSync(resultsFolder, { recursive: true });
    const results: TestResults[] = [];
    for (const part of parts) results.push(await part());
    console.log(`\n${summary(results)}`);
    if (results.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
  });
}

async function runChecksAsTests(): Promise<TestResults> {
  const failures = await runChecks(console.log);
  return { ...noResults, failures: failures.map((name) => `check ${name}`) };
}

/** Returns a pattern for Jest: paths below a folder that contain the filter. */
export const below = (folder: string, filter = '') =>
  `^${(folder + path.sep).replaceAll(/[^\w/-]/g, '\\$&')}${filter && `.*${filter}`}`;

/** `npm test <remote>`: only its units; words before the first option are parts of file names. */
function testRemote(remote: string, words: readonly string[]): Promise<never> {
  const option = words.findIndex((word) => word.startsWith('-'));
  const filters = words.slice(0, option === -1 ? undefined : option);
  const patterns = (filters.length > 0 ? filters : ['']).map((filter) => below(path.join(root, remote), filter));
  return runParts(() => runUnitsAndIntegration('all', [...patterns, ...words.slice(filters.length)]));
}

const allButCompose = [runChecksAsTests, () => runUnitsAndIntegration('all'), () => runInBrowser('all')];

/** `npm test [part]`; in the folder of a remote, its units. */
export function test(part: string | undefined, filters: readonly string[]): Promise<never> {
  const workspace = remotes.find((name) => name === caller.npm_package_name);
  if (workspace) return testRemote(workspace, part === undefined ? filters : [part, ...filters]);
  if (part === 'all') return runParts(...allButCompose);
  if (part === 'units') return runParts(() => runUnitsAndIntegration('all', filters));
  if (part === 'e2e') return runParts(() => runInBrowser('all', filters));
  if (part === 'screenshots') {
    rmSync(path.join(root, 'screenshots'), { recursive: true, force: true });
    return runParts(() => runPlaywright('screenshots', filters));
  }
  if (part !== undefined && remotes.includes(part)) return testRemote(part, filters);
  if (part !== undefined)
    throw new UsageError(
      `There is no part “${part}”; write all, units, e2e, screenshots, or one of ${remotes.join(', ')}.`,
    );
  return runParts(
    runChecksAsTests,
    () => runUnitsAndIntegration('core'),
    () => runInBrowser('core'),
  );
}

/** `npm run test:compose [filter …]`. */
export const compose = (filters: readonly string[]): Promise<never> => runParts(() => runOnCompose(filters));

/** `npm run chaos [remote …]`. */
export function chaos(chosen: readonly string[]): Promise<never> {
  const unknown = chosen.find((name) => !remotes.includes(name));
  if (unknown)
    throw new UsageError(`Chaos of “${unknown}” is unknown; write some of ${remotes.join(', ')}, or backend alone.`);
  const variables = { CHAOS_REMOTES: (chosen.length > 0 ? chosen : remotes).join(',') };
  return runParts(() => runPlaywright('', ['--grep', '@chaos'], variables));
}
