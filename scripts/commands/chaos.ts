import { CommandError } from '@daybook/server';
import { launchBrowser } from '@daybook/testing/browser';
import { remotes } from '@daybook/testing/workspaces';
import { browserCases } from '../../e2e/chaos/browser-cases.ts';
import { ChaosRun, type Outcome } from '../../e2e/chaos/chaos-run.ts';
import { type ChaosCase, originCases } from '../../e2e/chaos/origin-cases.ts';
import { serverCases } from '../../e2e/chaos/server-cases.ts';
import { buildStale } from '../build-stale.ts';
import { runCommand } from '../run-command.ts';

interface Result {
  readonly remote: string;
  readonly name: string;
  readonly outcome: Outcome | Error;
}

async function runCase(run: ChaosRun, { name, run: execute }: ChaosCase): Promise<Result> {
  const started = performance.now();
  const outcome = await execute(run).catch((error: Error) => error);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const mark = outcome instanceof Error ? `✗ ${outcome.message}` : '✓';
  console.log(`  ${run.remote}  ${name}  ${mark}  (${seconds} s)`);
  return { remote: run.remote, name, outcome };
}

/** The table of cases: what visitors saw of the failing remote, how it ended, and for which remotes it was seen. */
function printTable(results: readonly Result[]): void {
  const names = [...new Set(results.map(({ name }) => name))];
  const rows = names.map((name) => {
    const of = results.filter((result) => result.name === name);
    const failed = of.filter(({ outcome }) => outcome instanceof Error);
    const good = of.flatMap(({ outcome }) => (outcome instanceof Error ? [] : [outcome]))[0];
    const verdict =
      failed.length > 0
        ? `FAILED for ${failed.map(({ remote }) => remote).join(', ')}`
        : `${of.length} of ${of.length}`;
    return [name, good?.seen ?? '–', good?.recovery ?? '–', verdict];
  });
  const header = ['CASE', 'VISITORS OF THE REMOTE SAW', 'RECOVERY', 'REMOTES'];
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  console.log('');
  for (const row of all)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  console.log('\nIn every case the pages of all other remotes were opened and worked.');
}

/**
 * `npm run chaos [remote …]`: every way in which a remote, its origin, its files, the server or the disk can fail,
 * against a site of its own; prints what visitors saw and how it recovered.
 */
await runCommand(async (started) => {
  const chosen = process.argv.slice(2);
  const unknown = chosen.find((name) => !remotes.includes(name));
  if (unknown) throw new CommandError(`There is no remote “${unknown}”; there are ${remotes.join(', ')}.`);
  const browser = await launchBrowser(started);
  await buildStale(console.log);
  const results: Result[] = [];
  for (const remote of chosen.length > 0 ? chosen : remotes) {
    const run = new ChaosRun(remote, remotes, browser);
    try {
      await run.site.startOrigins();
      await run.site.startServer();
      await run.releaseGood();
      for (const each of [...originCases, ...browserCases, ...serverCases]) results.push(await runCase(run, each));
    } finally {
      await run.site.stop();
    }
  }
  printTable(results);
  const failed = results.filter(({ outcome }) => outcome instanceof Error);
  console.log(`\n${results.length - failed.length} passed, ${failed.length} failed`);
  if (failed.length > 0) throw new CommandError('Some cases did not end as they should.');
});
