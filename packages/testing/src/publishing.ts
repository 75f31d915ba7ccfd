import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Publication, Published } from '@daybook/contract/release';
import { ReleasesClient, readBuild } from '@daybook/releases';
import { type ReleaseVariant, writeRelease } from './builds.ts';
import type { Tokens } from './tokens.ts';
import { buildFolder, remotes } from './workspaces.ts';

/** Publishes a release in memory, or in the folder of a build, with the token of its remote. */
export async function publishRelease(
  site: string,
  { tokenOf }: Pick<Tokens, 'tokenOf'>,
  release: ReleaseVariant | string,
  publication: Publication = {},
): Promise<Published> {
  const temporary = mkdtempDisposableSync(path.join(tmpdir(), 'daybook-publish-'));
  try {
    if (typeof release !== 'string') writeRelease(temporary.path, release);
    const build = readBuild(typeof release === 'string' ? release : temporary.path);
    return await new ReleasesClient(site, tokenOf(build.release.name)).publish(build, publication);
  } finally {
    temporary.remove();
  }
}

/** Publishes the builds of all remotes. */
export async function publishBuilds(site: string, tokens: Pick<Tokens, 'tokenOf'>): Promise<void> {
  // One after the other: a server takes two uploads at once.
  for (const name of remotes) await publishRelease(site, tokens, buildFolder(name));
}
