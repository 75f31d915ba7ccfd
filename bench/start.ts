import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '../scripts/ports.ts';
import { root } from '../scripts/workspaces.ts';
import { type Comparison, interleave } from './comparison.ts';
import type { Part } from './part.ts';

/** Settings of this process that a newcomer's shell does not have. */
const notPassedOn = /^(?:npm_|NODE_OPTIONS$|DATABASE_URL|REMOTES$|RELEASES_FOLDER$|PORT$)/;

/** Runs `npm start` until the site answers, then stops it; returns the seconds that it took. */
async function timeStart(started: AsyncDisposableStack, folder: string): Promise<number> {
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !notPassedOn.test(name)));
  const since = performance.now();
  const env = { ...environment, PORT: String(await findFreePort()) };
  const child = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  started.defer(async () => {
    child.kill();
    await ended;
  });
  let seconds: number | undefined;
  for await (const line of createInterface(child.stdout)) {
    if (!line.includes('Daybook runs at ')) continue;
    seconds = (performance.now() - since) / 1000;
    child.kill();
  }
  await ended;
  if (seconds === undefined) throw new Error('npm start failed; the reason is above.');
  return seconds;
}

/** `npm start` on a fresh clone of the last commit, and once more on what that has left. */
export const measureStart: Part = async ({ started, folder, rounds: count, report }) => {
  // The database's own user has to reach its data.
  chmodSync(folder, 0o755);
  const clone = path.join(folder, 'clone');
  const names = { fresh: 'fresh clone', again: 'once more' } as const;
  const measure = async () => {
    rmSync(clone, { recursive: true, force: true });
    execFileSync('git', ['clone', '--quiet', root, clone]);
    return { fresh: await timeStart(started, clone), again: await timeStart(started, clone) };
  };
  // The second start needs the first one, so they take no turns.
  const measured = await interleave([{ name: 'both' }], count, measure, report);
  const rounds = measured.map(({ both }) => ({
    [names.fresh]: { seconds: both?.fresh },
    [names.again]: { seconds: both?.again },
  }));
  const comparison: Comparison = {
    title: 'npm start',
    contestants: Object.values(names),
    baseline: names.again,
    figures: [{ key: 'seconds', title: 'seconds', digits: 1 }],
    cases: [{ name: 'npm start', rounds }],
  };
  const note = `Medians of ${count} rounds, with npm's cache as it is on the machine; in brackets the ratio to a second start.`;
  return { comparisons: [comparison], picture: comparison, note };
};
