import { rmSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type ReleaseBuild, readReleaseBuild } from '@daybook/releases/publish';
import { runQuietly } from '@daybook/runner/processes';
import { buildCommand, root } from '@daybook/runner/workspaces';
import { CommandError } from '@daybook/server/command-line';
import { sourceHash } from '../build.ts';
import { dataFolder } from '../local-site.ts';

/**
 * Builds a remote into a folder of its own, to be checked and published.
 *
 * @throws CommandError if the build fails
 */
export async function buildRelease(remote: string): Promise<ReleaseBuild> {
  // Not `build`, which `npm run dev` writes to as well.
  const folder = path.join(dataFolder, 'release-builds', remote);
  rmSync(folder, { recursive: true, force: true });
  // The browser check names sources by the maps; release.json does not list them, so they are not published.
  const options = ['--mode', 'production', '--devtool', 'hidden-source-map', '--output-path', folder];
  const { code, output } = await runQuietly(buildCommand(remote, ...options), { folder: path.join(root, remote) });
  if (code !== 0) throw new CommandError(buildErrors(output));
  return readReleaseBuild(folder);
}

/** Returns what failed a build, without Rspack's own words. */
const buildErrors = (output: string) =>
  stripVTControlCharacters(output)
    .replaceAll(/^(?:Rspack compiled with.*|ERROR in × )/gm, '')
    .trim();

/**
 * @param sources hash of the sources that the build was made from
 * @throws CommandError if they have changed since
 */
export async function expectSameSources(remote: string, sources: string): Promise<void> {
  if ((await sourceHash(remote)) === sources) return;
  throw new CommandError(
    `The sources of ${remote} were changed while the release was being checked. Start the release again.`,
  );
}
