import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandError, UsageError } from '@daybook/server/command-line';
import { startBrowser } from './bench/browser.ts';
import { measureNavigation, measurePages } from './bench/pages.ts';
import { measurePresses } from './bench/presses.ts';
import { reportText } from './bench/report.ts';
import { measureServer } from './bench/server.ts';
import { measureSignups } from './bench/signups.ts';
import type { BenchOptions, Part } from './bench/site.ts';
import { build } from './build.ts';
import { runCommand } from './run-command.ts';

const parts: Readonly<Record<string, Part>> = {
  pages: measurePages,
  navigation: measureNavigation,
  presses: measurePresses,
  server: measureServer,
  api: measureSignups,
};

async function runPart(name: string, part: Part, options: BenchOptions, all: AsyncDisposableStack) {
  const started = all.use(new AsyncDisposableStack());
  const folder = started.use(mkdtempDisposableSync(path.join(tmpdir(), `daybook-bench-${name}-`))).path;
  const since = performance.now();
  const report = (line: string) =>
    console.error(`${Math.round((performance.now() - since) / 1000)} s, ${name}: ${line}`);
  try {
    const result = await part({ ...options, started, folder, browser: () => startBrowser(started), report });
    console.log(`\n${reportText(result)}\n`);
  } finally {
    // Processes that a failed part left running would slow down the next part.
    await started.disposeAsync();
  }
}

/** `npm run bench`: compares the site with its alternatives, in alternating rounds. */
export const bench = (names: readonly string[], options: BenchOptions): Promise<never> =>
  runCommand(async (started, stopped) => {
    const unknown = names.find((name) => !(name in parts));
    if (unknown) throw new UsageError(`There is no part “${unknown}”; there are ${Object.keys(parts).join(', ')}.`);
    await build(console.error);
    const failed: string[] = [];
    for (const [name, part] of Object.entries(parts)) {
      if (names.length > 0 && !names.includes(name)) continue;
      try {
        await runPart(name, part, options, started);
      } catch (error) {
        stopped.throwIfAborted();
        // The other parts take an hour.
        failed.push(name);
        console.error(`${name} could not be measured.`, error);
      }
    }
    if (failed.length > 0) throw new CommandError(`Not measured: ${failed.join(', ')}; the reasons are above.`);
  });
