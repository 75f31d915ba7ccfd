import path from 'node:path';
import { addressOfRunning } from '@daybook/testing/postgres';
import { exitCode, startNode } from '@daybook/testing/processes';
import { root } from '@daybook/testing/workspaces';
import { buildStale } from '../build-stale.ts';
import { callingFolder, localOrigins, postgresFolder, releasesFolder } from '../data-folder.ts';

/**
 * Runs a program of the product with its own parameters. Exits with the program's code, also after Ctrl-C: a calling
 * script must know whether the operation was done.
 */
async function run(parameters: readonly string[], environment: Readonly<Record<string, string>>): Promise<void> {
  const child = startNode(parameters, { environment, folder: callingFolder, input: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  process.exitCode = await exitCode(child);
}

/** `npm run releases -- …`: operates on the releases of `npm start`. */
export const releases = (words: readonly string[]): Promise<void> =>
  run([path.join(root, 'shell/server/releases/command/main.ts'), ...words], {
    RELEASES_FOLDER: releasesFolder,
    REMOTES: localOrigins(),
    RELEASES_COMMAND: 'npm run releases --',
  });

/** `npm run operator -- …`: operates on the database of `DATABASE_URL`, or that of a running `npm start`. */
export async function operator(words: readonly string[]): Promise<void> {
  // Standard output is reserved for the command: it may be an export.
  await buildStale(console.error, ['backend']);
  const isNamed = process.env.DATABASE_URL || process.env.DATABASE_URL_FILE;
  const address = isNamed ? undefined : await addressOfRunning(postgresFolder);
  await run([path.join(root, 'backend/build/operator/main.js'), ...words], address ? { DATABASE_URL: address } : {});
}
