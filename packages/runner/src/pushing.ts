import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Publication, Published } from '@daybook/contract/release';
import { ReleasesClient, readBuild } from '@daybook/releases';
import { type ReleaseVariant, writeRelease } from './releases.ts';
import type { Tokens } from './tokens.ts';
import { buildFolder, remotes } from './workspaces.ts';

/**
 * Publishes a release with the token of its remote.
 *
 * @param site URL of the site, or of one of its shell servers
 * @param release a release in memory, or the folder of a build
 * @throws SiteError with the reason if the site rejects it or does not respond
 */
export async function pushRelease(
  site: string,
  { tokenOf }: Pick<Tokens, 'tokenOf'>,
  release: ReleaseVariant | string,
  publication: Publication = {},
): Promise<Published> {
  const temporary = mkdtempDisposableSync(path.join(tmpdir(), 'daybook-push-'));
  try {
    if (typeof release !== 'string') writeRelease(temporary.path, release);
    const build = readBuild(typeof release === 'string' ? release : temporary.path);
    return await new ReleasesClient(site, tokenOf(build.release.name)).publish(build, publication);
  } finally {
    temporary.remove();
  }
}

/** Publishes the builds of remotes; default: of all. */
export async function pushBuilds(
  site: string,
  tokens: Pick<Tokens, 'tokenOf'>,
  names: readonly string[] = remotes,
): Promise<void> {
  // One after the other: a server takes two uploads at once.
  for (const name of names) await pushRelease(site, tokens, buildFolder(name));
}
