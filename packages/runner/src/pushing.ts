import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { signRelease } from '@daybook/releases';
import { readReleaseBuild, SiteClient } from '@daybook/releases/publish';
import { type ReleaseVariant, writeRelease } from './releases.ts';
import type { TeamKeyPairs } from './team-keys.ts';
import { buildFolder, remotes } from './workspaces.ts';

/**
 * Pushes a release to a site with the key of its team.
 *
 * @param site URL of the site, or of one of its shell servers
 * @param release a release in memory, or the folder of a build
 * @param query whom it is for, by default all visitors: `?percent=10`, `?preview=<hash>`
 * @param publicOrigin the site's `PUBLIC_URL`, if it differs from the URL
 * @returns the site's response: 200, 201, or 409 if it is stored and not active
 * @throws CommandError with the reason if the site rejects it or does not respond
 */
export async function pushRelease(
  site: string,
  { signerOf }: Pick<TeamKeyPairs, 'signerOf'>,
  release: ReleaseVariant | string,
  query = '',
  publicOrigin?: string,
): ReturnType<SiteClient['publish']> {
  const temporary = mkdtempDisposableSync(path.join(tmpdir(), 'daybook-push-'));
  try {
    if (typeof release !== 'string') writeRelease(temporary.path, release);
    const build = readReleaseBuild(typeof release === 'string' ? release : temporary.path);
    const signer = signerOf(build.release.name);
    const signature = await signRelease(build.text, build.release.name, signer);
    return await new SiteClient(site, { signer }, publicOrigin).publish(build, signature, query, () => undefined);
  } finally {
    temporary.remove();
  }
}

/** Pushes the builds of remotes to a site; default: of all. */
export async function pushBuilds(
  site: string,
  keys: Pick<TeamKeyPairs, 'signerOf'>,
  names: readonly string[] = remotes,
): Promise<void> {
  // One after the other: a server takes few uploads at once.
  for (const name of names) await pushRelease(site, keys, buildFolder(name));
}
