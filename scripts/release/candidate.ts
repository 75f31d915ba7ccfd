import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { sourceHash } from '@daybook/build/source-hash';
import { type Release, releaseFileName, releaseSchema } from '@daybook/contract/release';
import { CommandError } from '@daybook/server';
import { runQuietly } from '@daybook/testing/processes';
import { buildCommand, root } from '@daybook/testing/workspaces';
import { dataFolder } from '../data-folder.ts';

/** A built release that is not published yet. */
export interface Candidate {
  readonly folder: string;
  readonly release: Release;
  /** Its release.json, byte for byte. */
  readonly text: string;
}

/** Returns the hash of a remote's current sources. */
export const sourcesOf = (remote: string) => sourceHash(root, path.join(root, remote));

/**
 * Builds a remote into a folder outside its origin.
 *
 * @throws CommandError if the build fails
 */
export async function buildCandidate(remote: string): Promise<Candidate> {
  // Not `build`, which `npm run dev` writes to as well.
  const folder = path.join(dataFolder, 'candidates', remote);
  rmSync(folder, { recursive: true, force: true });
  // The browser check names sources by the maps; release.json does not list them, so they are not published.
  const options = ['--mode', 'production', '--devtool', 'hidden-source-map', '--output-path', folder];
  const { code, output } = await runQuietly(buildCommand(remote, ...options), { folder: path.join(root, remote) });
  if (code !== 0) throw new CommandError(buildErrors(output));
  return readCandidate(folder);
}

/** Returns what failed a build, without Rspack's own words. */
const buildErrors = (output: string) =>
  stripVTControlCharacters(output)
    .replaceAll(/^(?:Rspack compiled with.*|ERROR in × )/gm, '')
    .trim();

/** Returns the release in a folder as a candidate. */
export function readCandidate(folder: string): Candidate {
  const text = readFileSync(path.join(folder, releaseFileName), 'utf8');
  return { folder, release: releaseSchema.parse(JSON.parse(text)), text };
}

/**
 * @param sources hash of the sources that the candidate was built from
 * @throws CommandError if they have changed since
 */
export function expectSameSources(remote: string, sources: string): void {
  if (sourcesOf(remote) === sources) return;
  throw new CommandError(
    `The sources of ${remote} were changed while the release was being checked. Start the release again.`,
  );
}
