import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandError } from '@daybook/server';
import { launchBrowser } from '@daybook/testing/browser';
import { exitCode, startNode } from '@daybook/testing/processes';
import { remotes, root } from '@daybook/testing/workspaces';
import { duration } from '../../bench/progress.ts';
import { publish } from '../../bench/report/publish.ts';
import { publishAims } from '../../bench/site/aims.ts';
import {
  type BenchOptions,
  BenchUsageError,
  type PartName,
  parseBenchOptions,
} from '../../bench/site/bench-options.ts';
import { measureGrowth } from '../../bench/site/growth.ts';
import { measureNavigation } from '../../bench/site/navigation.ts';
import { measurePages } from '../../bench/site/pages.ts';
import type { SitePart } from '../../bench/site/parts.ts';
import { measureRelease } from '../../bench/site/release.ts';
import { measureServer } from '../../bench/site/server.ts';
import { measureStart } from '../../bench/site/start.ts';
import { browserArguments } from '../../bench/site/throttled-page.ts';
import { buildStale } from '../build-stale.ts';
import { runCommand } from '../run-command.ts';

const siteParts: Readonly<Record<Exclude<PartName, 'api'>, SitePart>> = {
  pages: measurePages,
  navigation: measureNavigation,
  server: measureServer,
  growth: measureGrowth,
  release: measureRelease,
  start: measureStart,
};

/** The table of aims has the order. */
const withAims = ['pages', 'growth', 'navigation', 'server', 'release'];

function readOptions(): BenchOptions {
  try {
    return parseBenchOptions(process.argv.slice(2));
  } catch (error) {
    throw error instanceof BenchUsageError ? new CommandError(error.message) : error;
  }
}

/** Measures a part in a folder and with servers of its own, which are gone when it is over. */
async function runSitePart(
  started: AsyncDisposableStack,
  name: keyof typeof siteParts,
  to: string,
  options: BenchOptions,
) {
  const ofPart = new AsyncDisposableStack();
  started.defer(() => ofPart.disposeAsync());
  const folder = mkdtempSync(path.join(tmpdir(), `daybook-bench-${name}-`));
  ofPart.defer(() => rmSync(folder, { recursive: true, force: true }));
  try {
    const browser = await launchBrowser(ofPart, { args: browserArguments });
    const report = (line: string) => console.log(`  ${line}`);
    for (const result of await siteParts[name]({ started: ofPart, folder, effort: options.effort, browser, report })) {
      publish(to, `${name}.md`, result);
      console.log(`\n${result.text}\n`);
    }
  } finally {
    await ofPart.disposeAsync();
  }
}

async function runApiBench(to: string, { quick }: BenchOptions): Promise<void> {
  const command = [path.join(import.meta.dirname, 'bench-api.ts'), '--to', to, ...(quick ? ['--quick'] : [])];
  if ((await exitCode(startNode(command))) !== 0) throw new CommandError('The API could not be measured; see above.');
}

/**
 * `npm run bench [part …]`: the site against what it could be instead, in rounds that take turns: page load, navigation,
 * the server, growth, releases, the API, and `npm start`. Writes tables, JSON files and pictures to `docs/performance/`,
 * or the folder after `--to`, and what became of the aims to its README.md.
 */
await runCommand(async (started, stopped) => {
  const options = readOptions();
  const to = path.resolve(options.to ?? path.join(root, 'docs/performance'));
  await buildStale(console.log, [...remotes, 'shell']);
  const failed: PartName[] = [];
  for (const name of options.parts) {
    stopped.throwIfAborted();
    console.log(`Measuring: ${name}`);
    const since = performance.now();
    try {
      if (name === 'api') await runApiBench(to, options);
      else await runSitePart(started, name, to, options);
      console.log(`${name} took ${duration((performance.now() - since) / 1000)}.\n`);
    } catch (error) {
      stopped.throwIfAborted();
      // What the other parts take an hour for is not lost by it.
      failed.push(name);
      const reason = error instanceof CommandError || !(error instanceof Error) ? String(error) : error.stack;
      console.error(`\n${name} could not be measured. ${reason}\n`);
    }
  }
  publishAims(to, withAims);
  console.log(`Written to ${path.relative(process.cwd(), to) || '.'}.`);
  if (failed.length > 0) throw new CommandError(`Not measured: ${failed.join(', ')}; the reasons are above.`);
});
