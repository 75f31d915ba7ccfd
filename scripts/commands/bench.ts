import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandError, createProgram, runProgram, UsageError } from '@daybook/server';
import { measureSignups } from '../../backend/bench/signups.ts';
import { measureGrowth } from '../../bench/growth.ts';
import { startBrowser } from '../../bench/lighthouse.ts';
import { measureNavigation } from '../../bench/navigation.ts';
import { measureLighthouseScores, measurePages } from '../../bench/pages.ts';
import type { Part, PartOptions } from '../../bench/part.ts';
import { measureRebuild } from '../../bench/rebuild.ts';
import { reportText, writeReport } from '../../bench/report.ts';
import { measureServer } from '../../bench/server.ts';
import { measureStart } from '../../bench/start.ts';
import { buildStale } from '../build-stale.ts';
import { runCommand } from '../run-command.ts';
import { root } from '../workspaces.ts';

const parts: Readonly<Record<string, Part>> = {
  pages: measurePages,
  scores: measureLighthouseScores,
  navigation: measureNavigation,
  server: measureServer,
  growth: measureGrowth,
  rebuild: measureRebuild,
  api: measureSignups,
  start: measureStart,
};

interface BenchOptions extends PartOptions {
  /** The folder that results are written to. */
  readonly write?: string | true;
}

/** Measures a part in a folder of its own, and stops what it has started. */
async function runPart(parent: AsyncDisposableStack, name: string, { write, ...options }: BenchOptions): Promise<void> {
  const started = parent.use(new AsyncDisposableStack());
  const folder = mkdtempSync(path.join(tmpdir(), `daybook-bench-${name}-`));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const since = performance.now();
  const report = (line: string) =>
    process.stderr.write(`${((performance.now() - since) / 60_000).toFixed(1)} min, ${name}: ${line}\n`);
  const result = await parts[name]?.({ ...options, started, folder, browser: () => startBrowser(started), report });
  await started.disposeAsync();
  if (!result) return;
  process.stdout.write(`\n${reportText(result)}\n\n`);
  if (write)
    await writeReport(write === true ? path.join(root, 'docs/performance') : path.resolve(write), name, result);
}

function positive(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new UsageError('A number of rounds or subscribers must be a positive whole number.');
  return number;
}

const program = (started: AsyncDisposableStack, stopped: AbortSignal) =>
  createProgram('npm run bench --', 'Measures the site against what it could be instead, in rounds that take turns.')
    .argument('[parts...]', `what to measure: ${Object.keys(parts).join(', ')}; all where left out`)
    .option('--rounds <number>', 'how often each contestant is measured', positive, 3)
    .option('--routes <paths>', 'pages and scores: paths of pages, separated by commas', (text) => text.split(','))
    .option('--subscribers <number>', 'api: also measures a database with so many subscribers', positive)
    .option('--write [folder]', 'writes tables and pictures (docs/performance)')
    .action(async (names: readonly string[], options: BenchOptions) => {
      const unknown = names.find((name) => !(name in parts));
      if (unknown) throw new UsageError(`There is no part “${unknown}”.`);
      await buildStale((line) => process.stderr.write(`${line}\n`));
      const failed: string[] = [];
      for (const name of names.length > 0 ? names : Object.keys(parts)) {
        try {
          await runPart(started, name, options);
        } catch (error) {
          stopped.throwIfAborted();
          // What the other parts take an hour for is not lost by it.
          failed.push(name);
          process.stderr.write(`${name} could not be measured. ${(error as Error).stack}\n`);
        }
      }
      if (failed.length > 0) throw new CommandError(`Not measured: ${failed.join(', ')}; the reasons are above.`);
    });

await runCommand(async (started, stopped) => {
  process.exitCode = await runProgram(program(started, stopped), process.argv.slice(2));
});
