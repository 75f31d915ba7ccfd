import { rmSync } from 'node:fs';
import path from 'node:path';
import { startNode, stopChild } from '@daybook/testing/processes';
import { builtWorkspaces, root } from '@daybook/testing/workspaces';
import { buildStale } from '../build-stale.ts';
import { CommandError, runCommand } from '../run-command.ts';
import { requestedPort, runSite } from '../site-command.ts';

const rspack = path.join(root, 'node_modules/@rspack/cli/bin/rspack.js');
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');

const watchCommand = (workspace: string) =>
  workspace === 'backend'
    ? [compiler, '-b', '--watch', '--preserveWatchOutput']
    : [rspack, 'build', '--watch', '--mode', 'development'];

/** `npm run dev`: the assembled site, rebuilt and reloaded after each change. */
await runCommand(
  async (started) => {
    const port = await requestedPort();
    await buildStale(console.log);
    const site = await runSite(started, port, true);
    for (const workspace of builtWorkspaces) {
      // What watching builds is no release: the next start builds anew.
      rmSync(path.join(root, workspace, 'dist/.built-from'), { force: true });
      const watcher = startNode(watchCommand(workspace), {
        folder: path.join(root, workspace),
        environment: { NODE_ENV: 'development' },
      });
      started.defer(() => stopChild(watcher));
    }
    console.log('  Watching shell, remotes and backend for changes.\n');
    throw new CommandError(await site.broken);
  },
  { untilStopped: true },
);
