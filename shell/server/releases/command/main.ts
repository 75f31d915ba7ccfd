import { existsSync, readdirSync } from 'node:fs';
import { remoteNameSchema } from '@daybook/contract';
import { openReleases } from '../release-management.ts';
import { runReleasesCommand } from './releases-command.ts';

/** The names of the site's remotes: those of `REMOTES`, else those that the folder has releases of. */
function remoteNames(folder: string): readonly string[] {
  const { REMOTES } = process.env;
  if (REMOTES) return REMOTES.split(',').map((item) => item.split('=')[0]?.trim() ?? '');
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && remoteNameSchema.safeParse(entry.name).success)
    .map(({ name }) => name);
}

/** The `releases` command: `RELEASES_FOLDER` and `REMOTES` as of the shell server; exit code 1 where nothing was done. */
function main(): void {
  const folder = process.env.RELEASES_FOLDER || '.data/releases';
  if (!existsSync(folder)) {
    throw new Error(
      `There is no releases folder at ${folder}. Start the site once, or set RELEASES_FOLDER to where its server keeps them.`,
    );
  }
  const management = openReleases(folder, remoteNames(folder), (problem) => console.error(problem));
  for (const line of runReleasesCommand(process.argv.slice(2), management)) console.log(line);
}

try {
  main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
