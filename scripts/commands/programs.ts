import path from 'node:path';
import { addressOfRunning } from '@daybook/testing/postgres';
import { startNode } from '@daybook/testing/processes';
import { remoteOrigins, root } from '@daybook/testing/workspaces';
import { buildStale } from '../build-stale.ts';
import { postgresFolder, releasesFolder } from '../data-folder.ts';

/**
 * Runs a program of the product with its own parameters; the exit code is that of the program, also after Ctrl-C: a
 * script has to know whether what it asked for was done.
 */
async function run(parameters: readonly string[], environment: Readonly<Record<string, string>>): Promise<void> {
  // Files that the program writes are named from the folder that npm was called in.
  const folder = process.env.INIT_CWD ?? process.cwd();
  const child = startNode(parameters, { environment, folder, input: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  process.exitCode = (await child).exitCode ?? 1;
}

/** `npm run releases -- …`: on the releases of `npm start`. */
export const releases = (words: readonly string[]): Promise<void> =>
  run([path.join(root, 'shell/server/releases/command/main.ts'), ...words], {
    RELEASES_FOLDER: releasesFolder,
    REMOTES: process.env.REMOTES || remoteOrigins(),
  });

/** `npm run operator -- …`: on the database of the environment, or on that of `npm start` while it runs. */
export async function operator(words: readonly string[]): Promise<void> {
  // Standard output is the command's own: it may be an export.
  await buildStale(console.error, ['backend']);
  const isNamed = process.env.DATABASE_URL || process.env.DATABASE_URL_FILE;
  const address = isNamed ? undefined : await addressOfRunning(postgresFolder);
  await run([path.join(root, 'backend/dist/operator/main.js'), ...words], address ? { DATABASE_URL: address } : {});
}
