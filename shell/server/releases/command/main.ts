import { existsSync, readdirSync } from 'node:fs';
import { remoteNameSchema } from '@daybook/contract';
import { runProgram } from '@daybook/server';
import { ReleaseManagement } from '../release-management.ts';
import { createReleasesProgram } from './releases-command.ts';

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

/** Opens `RELEASES_FOLDER` with the remotes of `REMOTES`, as the shell server does. */
function openFolder(): ReleaseManagement {
  const folder = process.env.RELEASES_FOLDER || '.data/releases';
  if (!existsSync(folder)) {
    throw new Error(
      `There is no releases folder at ${folder}. Start the site once, or set RELEASES_FOLDER to where its server keeps them.`,
    );
  }
  const { remotes, others } = remoteNames(folder);
  return new ReleaseManagement(folder, remotes, (problem) => console.error(problem), others);
}

process.exitCode = await runProgram(createReleasesProgram(openFolder), process.argv.slice(2));
