import { existsSync, readdirSync } from 'node:fs';
import { remoteNameSchema } from '@daybook/contract';
import { openReleases } from '../release-management.ts';
import { runReleasesCommand } from './releases-command.ts';

/** The remotes that the folder has releases of, or had. */
const remotesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && remoteNameSchema.safeParse(entry.name).success)
    .map(({ name }) => name);

/** The site's remotes, as `REMOTES` has them, and those that a running server has brought beside them. */
function remoteNames(folder: string): { readonly remotes: readonly string[]; readonly others: readonly string[] } {
  const found = remotesIn(folder);
  const { REMOTES } = process.env;
  if (!REMOTES) return { remotes: found, others: [] };
  const remotes = REMOTES.split(',').map((item) => item.split('=')[0]?.trim() ?? '');
  return { remotes, others: found.filter((name) => !remotes.includes(name)) };
}

/** The `releases` command: `RELEASES_FOLDER` and `REMOTES` as of the shell server; exit code 1 where nothing was done. */
function main(): void {
  const folder = process.env.RELEASES_FOLDER || '.data/releases';
  if (!existsSync(folder)) {
    throw new Error(
      `There is no releases folder at ${folder}. Start the site once, or set RELEASES_FOLDER to where its server keeps them.`,
    );
  }
  const { remotes, others } = remoteNames(folder);
  const management = openReleases(folder, remotes, (problem) => console.error(problem), others);
  for (const line of runReleasesCommand(process.argv.slice(2), management)) console.log(line);
}

try {
  main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
