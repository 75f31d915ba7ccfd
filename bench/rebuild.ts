import { rmSync } from 'node:fs';
import path from 'node:path';
import { runQuietly } from '../scripts/release/run-quietly.ts';
import { remotes, root } from '../scripts/workspaces.ts';
import { type Comparison, interleave } from './comparison.ts';
import type { Part } from './part.ts';

const rspack = path.join(root, 'node_modules/@rspack/cli/bin/rspack.js');

/** The build of one remote against the builds of all that browsers get, one after the other. */
export const measureRebuild: Part = async ({ folder, rounds: count, report }) => {
  const everything = { name: 'shell and all remotes', workspaces: ['shell', ...remotes] };
  const contestants = [...remotes.map((remote) => ({ name: remote, workspaces: [remote] })), everything];
  const build = async ({ workspaces }: { readonly workspaces: readonly string[] }) => {
    const since = performance.now();
    for (const workspace of workspaces) {
      const to = path.join(folder, workspace);
      const parameters = [rspack, 'build', '--mode', 'production', '--output-path', to];
      const { code, output } = await runQuietly(parameters, { folder: path.join(root, workspace) });
      if (code !== 0) throw new Error(`${output}\nThe build of ${workspace} failed; see above.`);
      rmSync(to, { recursive: true });
    }
    return { seconds: (performance.now() - since) / 1000 };
  };
  const comparison: Comparison = {
    title: 'Build',
    contestants: contestants.map(({ name }) => name),
    baseline: everything.name,
    figures: [{ key: 'seconds', title: 'seconds', digits: 2 }],
    cases: [{ name: 'build', rounds: await interleave(contestants, count, build, report) }],
  };
  const note = `Medians of ${count} rounds; in brackets the ratio to ${everything.name}.`;
  return { comparisons: [comparison], picture: comparison, note };
};
