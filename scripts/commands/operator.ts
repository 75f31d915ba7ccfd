import path from 'node:path';
import { addressOfRunning } from '@daybook/testing/postgres';
import { exitCode, startNode } from '@daybook/testing/processes';
import { root } from '@daybook/testing/workspaces';
import { buildStale } from '../build-stale.ts';
import { postgresFolder } from '../data-folder.ts';

/** The database of the environment, or that of `npm start`; none where neither is there, which the command tells. */
async function databaseEnvironment(): Promise<Record<string, string>> {
  if (process.env.DATABASE_URL || process.env.DATABASE_URL_FILE) return {};
  const address = await addressOfRunning(postgresFolder);
  return address ? { DATABASE_URL: address } : {};
}

/**
 * `npm run operator -- …`: subscribers, events, numbers and privacy requests of the site's database. Its exit code is that of
 * the command, also after Ctrl-C, for a script has to know whether what it asked for was done.
 */
try {
  // Standard output is the command's own: it may be an export.
  await buildStale(console.error, ['backend']);
  const command = [path.join(root, 'backend/dist/operator/main.js'), ...process.argv.slice(2)];
  // Where the command writes files is seen from the folder that npm was called in.
  const folder = process.env.INIT_CWD ?? process.cwd();
  const child = startNode(command, { environment: await databaseEnvironment(), folder, input: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  process.exitCode = await exitCode(child);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
