import { existsSync, mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { shellManifestFileName } from '@daybook/contract/server';
import type { ReleaseBuild } from '@daybook/releases/publish';
import { stopChild } from '@daybook/runner/processes';
import { pushRelease } from '@daybook/runner/pushing';
import { startReleasesDatabase } from '@daybook/runner/releases-database';
import { startShellServer } from '@daybook/runner/site';
import { openTeamKeys } from '@daybook/runner/team-keys';
import { buildFolder } from '@daybook/runner/workspaces';
import { build } from '../build.ts';

/** Starts a shell server whose only remote is the build, which is pushed to it as to a site; returns its URL. */
export async function startPrivateShell(
  started: AsyncDisposableStack,
  { folder, release: { name } }: Pick<ReleaseBuild, 'folder' | 'release'>,
): Promise<string> {
  // Any build will do: what shell and remotes expect of each other has a version of its own.
  if (!existsSync(path.join(buildFolder('shell'), shellManifestFileName))) await build(console.log, ['shell']);
  const temporary = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-release-')));
  const database = await startReleasesDatabase();
  started.defer(() => database.stop());
  const keys = openTeamKeys(temporary.path, [name]);
  const { url, child } = await startShellServer({
    releasesFolder: path.join(temporary.path, 'releases'),
    releasesDatabaseUrl: database.shellUrl,
    teamKeysFile: keys.file,
    shellVariables: { HOST: '127.0.0.1', PUBLIC_URL: '', LOG_LEVEL: 'error' },
  });
  started.defer(() => stopChild(child));
  await pushRelease(url, keys, folder);
  return url;
}
