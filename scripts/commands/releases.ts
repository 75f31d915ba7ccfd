import path from 'node:path';
import { exitCode, startNode } from '@daybook/testing/processes';
import { remoteOrigins, root } from '@daybook/testing/workspaces';
import { releasesFolder } from '../data-folder.ts';
import { runCommand } from '../run-command.ts';

/** `npm run releases -- …`: what visitors get of each remote, and how it is taken back; on the releases of `npm start`. */
await runCommand(async () => {
  const command = [path.join(root, 'shell/server/releases/command/main.ts'), ...process.argv.slice(2)];
  const environment = { RELEASES_FOLDER: releasesFolder, REMOTES: process.env.REMOTES || remoteOrigins() };
  process.exitCode = await exitCode(startNode(command, { environment }));
});
