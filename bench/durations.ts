import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '../scripts/ports.ts';
import { runQuietly } from '../scripts/release/run-quietly.ts';
import { remotes, root } from '../scripts/workspaces.ts';
import { interleave } from './comparison.ts';
import type { Part } from './site.ts';

const rspack = path.join(root, 'node_modules/@rspack/cli/bin/rspack.js');
const figures = [{ key: 'seconds', title: 'seconds', digits: 1 }] as const;

async function timed(run: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await run();
  return (performance.now() - since) / 1000;
}

/** The build of one remote against the builds of all that browsers get, one after the other. */
export const measureRebuild: Part = async ({ folder, rounds: count, report }) => {
  const baseline = 'shell and all remotes';
  const contestants = [
    ...remotes.map((remote) => ({ name: remote, workspaces: [remote] })),
    { name: baseline, workspaces: ['shell', ...remotes] },
  ];
  const build = async ({ workspaces }: { readonly workspaces: readonly string[] }) => {
    for (const workspace of workspaces) {
      const parameters = [rspack, 'build', '--mode', 'production', '--output-path', path.join(folder, workspace)];
      const { code, output } = await runQuietly(parameters, { folder: path.join(root, workspace) });
      if (code !== 0) throw new Error(`${output}\nThe build of ${workspace} failed; see above.`);
    }
  };
  const rounds = await interleave(
    contestants,
    count,
    async (each) => ({ seconds: await timed(() => build(each)) }),
    report,
  );
  const names = contestants.map(({ name }) => name);
  return {
    comparisons: [{ title: 'Build', contestants: names, baseline, figures, cases: { build: rounds } }],
    note: `Medians of ${count} rounds; in brackets the ratio to ${baseline}.`,
  };
};

/** Settings of this process that a newcomer's shell does not have. */
const notPassedOn = /^(?:npm_|NODE_OPTIONS$|DATABASE_URL|REMOTES$|RELEASES_FOLDER$|PORT$)/;

/** Runs `npm start` until the site answers, then stops it; returns the seconds until it did. */
async function timeStart(started: AsyncDisposableStack, folder: string): Promise<number> {
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !notPassedOn.test(name)));
  const env = { ...environment, PORT: String(await findFreePort()) };
  const child = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  started.defer(async () => {
    child.kill();
    await ended;
  });
  const seconds = await timed(async () => {
    for await (const line of createInterface(child.stdout)) if (line.includes('Daybook runs at ')) return;
    throw new Error('npm start failed; the reason is above.');
  });
  child.stdout.resume();
  child.kill();
  await ended;
  return seconds;
}

/** `npm start` on a fresh clone of the last commit, and once more on what that has left. */
export const measureStart: Part = async ({ started, folder, rounds: count, report }) => {
  // The database's own user has to reach its data.
  chmodSync(folder, 0o755);
  const clone = path.join(folder, 'clone');
  const measure = async () => {
    rmSync(clone, { recursive: true, force: true });
    execFileSync('git', ['clone', '--quiet', root, clone]);
    return { fresh: await timeStart(started, clone), again: await timeStart(started, clone) };
  };
  // The second start needs the first one, so they take no turns.
  const measured = await interleave([{ name: 'both' }], count, measure, report);
  const [fresh, again] = ['fresh clone', 'once more'];
  const rounds = measured.map(({ both }) => ({ [fresh]: { seconds: both?.fresh }, [again]: { seconds: both?.again } }));
  return {
    comparisons: [
      { title: 'npm start', contestants: [fresh, again], baseline: again, figures, cases: { 'npm start': rounds } },
    ],
    note: `Medians of ${count} rounds; in brackets the ratio to a second start.`,
  };
};
