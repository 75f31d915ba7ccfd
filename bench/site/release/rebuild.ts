import { rmSync } from 'node:fs';
import path from 'node:path';
import { runQuietly } from '@daybook/testing/processes';
import { remotes, root } from '@daybook/testing/workspaces';
import type { Comparison } from '../../comparison.ts';
import { ratioPicture } from '../../report/ratio-picture.ts';
import { comparisonTable } from '../../report/table.ts';
import { interleave } from '../../rounds.ts';
import type { SitePartContext, SiteReport } from '../parts.ts';

const rspack = path.join(root, 'node_modules/@rspack/cli/bin/rspack.js');

/** Builds workspaces one after the other, all of each, beside what is built. */
async function build(workspaces: readonly string[], to: string): Promise<number> {
  const since = performance.now();
  for (const workspace of workspaces) {
    const parameters = [rspack, 'build', '--mode', 'production', '--output-path', path.join(to, workspace)];
    const { code, output } = await runQuietly(parameters, { folder: path.join(root, workspace) });
    if (code !== 0) throw new Error(`${output}\nThe build of ${workspace} failed; see above.`);
  }
  return (performance.now() - since) / 1000;
}

/** How long the build of one remote takes, against that of all that browsers get. */
export async function measureRebuild({ folder, effort, report }: SitePartContext): Promise<SiteReport> {
  const to = path.join(folder, 'rebuild');
  const everything = { name: 'shell and all remotes', workspaces: ['shell', ...remotes] };
  const contestants = [...remotes.map((remote) => ({ name: remote, workspaces: [remote] })), everything];
  const rounds = await interleave(
    contestants,
    effort.rounds,
    async ({ workspaces }) => {
      const seconds = await build(workspaces, to);
      rmSync(to, { recursive: true, force: true });
      return { seconds };
    },
    (done) => report(`rebuild: round ${done} of ${effort.rounds}`),
  );
  const comparison: Comparison = {
    title: 'Build of one remote',
    contestants: contestants.map(({ name }) => name),
    baseline: everything.name,
    figures: [{ key: 'seconds', title: 'seconds', digits: 2 }],
    cases: [{ name: 'build', rounds }],
  };
  return {
    name: 'release-rebuild',
    text: `${comparisonTable(comparison)}\n\nMedians of ${effort.rounds} rounds, in brackets the ratio to the builds of shell and all remotes, one after the other.`,
    caption: 'The same as ratios, with the lowest and highest of all rounds',
    picture: ratioPicture(comparison),
    data: { effort, aims: [], comparison },
  };
}
