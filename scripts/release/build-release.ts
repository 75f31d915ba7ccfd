import { rmSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type ReleaseBuild, readBuild } from '@daybook/releases';
import { runQuietly } from '@daybook/runner/processes';
import { buildCommand, root } from '@daybook/runner/workspaces';
import { CommandError } from '@daybook/server/command-line';
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
  if (code === 0) return readBuild(folder);
  const words = stripVTControlCharacters(output).replaceAll(/^(?:Rspack compiled with.*|ERROR in × )/gm, '');
  throw new CommandError(words.trim());
}
