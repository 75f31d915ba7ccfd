import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '@daybook/testing/ports';
import { root } from '@daybook/testing/workspaces';
import type { Comparison } from '../comparison.ts';
import { countDown } from '../progress.ts';
import { ratioPicture } from '../report/ratio-picture.ts';
import { comparisonTable } from '../report/table.ts';
import type { Round, Sample } from '../rounds.ts';
import type { SitePart } from './parts.ts';
import { type PrintedLine, startSteps, timeSteps } from './start-steps.ts';

/** The line after which the site answers. */
const ready = /Daybook runs at /;

/** Settings of this run that are not those of a newcomer. */
const notPassedOn = /^(?:npm_|NODE_OPTIONS$|DATABASE_URL|REMOTES$|RELEASES_FOLDER$|PORT$)/;

/** A start that is not there after this many ms never will be. */
const startLimit = 15 * 60_000;

/** Runs `npm start` in a folder until the site answers, then stops it; gives what it printed. */
async function start(started: AsyncDisposableStack, folder: string): Promise<readonly PrintedLine[]> {
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !notPassedOn.test(name)));
  const since = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...environment, PORT: String(await findFreePort()) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: PrintedLine[] = [];
  const ended = once(child, 'exit');
  started.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const limit = setTimeout(() => child.kill('SIGTERM'), startLimit);
  for await (const text of createInterface(child.stdout)) {
    lines.push({ text, at: (performance.now() - since) / 1000 });
    if (ready.test(text)) child.kill('SIGTERM');
  }
  await ended;
  clearTimeout(limit);
  if (!lines.some(({ text }) => ready.test(text)))
    throw new Error(`npm start did not get there:\n${lines.map(({ text }) => text).join('\n')}`);
  return lines;
}

/** The steps of a start as a sample, and their sum. */
const sampleOf = (lines: readonly PrintedLine[]): Sample => {
  const steps = timeSteps(lines);
  return { ...Object.fromEntries(steps), sum: [...steps.values()].reduce((sum, seconds) => sum + seconds, 0) };
};

/** `npm start` on a fresh clone of what is committed, step by step, and once more on what that has left. */
export const measureStart: SitePart = async ({ started, folder, effort, report }) => {
  const clone = path.join(folder, 'clone');
  // The database's own user has to reach its data.
  chmodSync(folder, 0o755);
  const left = countDown(effort.rounds);
  const rounds: Round[] = [];
  while (rounds.length < effort.rounds) {
    execFileSync('git', ['clone', '--quiet', root, clone]);
    report(`round ${rounds.length + 1}: npm start on a fresh clone …`);
    const fresh = sampleOf(await start(started, clone));
    report(`round ${rounds.length + 1}: once more …`);
    const again = sampleOf(await start(started, clone));
    rmSync(clone, { recursive: true, force: true });
    rounds.push({ 'fresh clone': fresh, 'once more': again });
    report(`${rounds.length} of ${effort.rounds} rounds (${left()})`);
  }
  const comparison: Comparison = {
    title: 'npm start',
    contestants: ['fresh clone', 'once more'],
    baseline: 'once more',
    figures: [...startSteps, 'sum'].map((key) => ({ key, title: `${key}, s`, digits: 1 })),
    cases: [{ name: 'npm start', rounds }],
  };
  return [
    {
      name: 'start',
      text: `${comparisonTable(comparison)}\n\nMedians of ${effort.rounds} rounds; in brackets the ratio to a second start.`,
      caption: 'The same as ratios to a second start',
      picture: ratioPicture(comparison),
      data: { effort, aims: [], comparison },
    },
  ];
};
