import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { sourceHash } from '@daybook/build/source-hash';
import { type Release, releaseFileName, releaseSchema } from '@daybook/contract';
import { CommandError } from '@daybook/server';
import { runQuietly } from '@daybook/testing/processes';
import { root } from '@daybook/testing/workspaces';
import { dataFolder } from '../data-folder.ts';

/** A release that was built and is not published yet. */
export interface Candidate {
  readonly folder: string;
  readonly release: Release;
  /** Its release.json, byte for byte. */
  readonly text: string;
}

/** Where candidates are built: not in `dist`, which is the remote's origin, so that what lies there is live at once. */
const candidateFolder = (remote: string) => path.join(dataFolder, 'candidates', remote);

/** The hash of a remote's sources, as they are now: the second half of its version. */
const sourcesOf = (remote: string) => sourceHash(root, path.join(root, remote));

/**
 * Builds a remote's sources into a folder beside its origin.
 *
 * @throws CommandError where they can't be built, or make a release of another remote
 */
export async function buildCandidate(remote: string): Promise<Candidate> {
  const folder = candidateFolder(remote);
  rmSync(folder, { recursive: true, force: true });
  const rspack = path.join(root, 'node_modules/@rspack/cli/bin/rspack.js');
  const { code, output } = await runQuietly([rspack, 'build', '--mode', 'production', '--output-path', folder], {
    folder: path.join(root, remote),
  });
  if (code !== 0) throw new CommandError(`${output.trim()}\n\nThe build failed; see above.`);
  const text = readFileSync(path.join(folder, releaseFileName), 'utf8');
  const release = releaseSchema.parse(JSON.parse(text));
  if (release.name !== remote) {
    throw new CommandError(
      `${remote}/src/remote.ts calls the remote “${release.name}”. Give it the name of its folder: ${remote}`,
    );
  }
  return { folder, release, text };
}

/** The stamp of a build: the sources that it was made from. */
export const stampOf = ({ version }: Release) => version.slice(version.lastIndexOf('-') + 1);

/** @throws CommandError where the sources are no longer those that the candidate was built from */
export function expectSameSources({ release }: Candidate): void {
  if (sourcesOf(release.name) !== stampOf(release)) {
    throw new CommandError(
      `The sources of ${release.name} were changed while the release was being tried. Start the release again.`,
    );
  }
}
