import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stopChild } from './processes.ts';
import { publishBuilds } from './publishing.ts';
import { copyReleasesDatabase, startReleasesDatabase } from './releases-database.ts';
import { startShellServer, startSite } from './site.ts';
import { openTokens } from './tokens.ts';

/** Starts the assembled site on a temporary database for the run; tests find it through the environment. */
export default async function startAssembledSite(): Promise<() => Promise<void>> {
  const folder = mkdtempDisposableSync(path.join(tmpdir(), 'daybook-e2e-'));
  const { ownerUrl, shellUrl, stop } = await startReleasesDatabase();
  const copyOf = (template: string) => copyReleasesDatabase(ownerUrl, template);
  // At `info`, every write call logs a line.
  process.env.LOG_LEVEL ??= 'warn';
  const tokens = openTokens(folder.path);
  const inFolder = (name: string) => path.join(folder.path, name);
  // Published once for all sites of the run, which copy its database.
  const [empty, built] = [await copyOf(shellUrl), await copyOf(shellUrl)];
  const shared = { tokensFile: tokens.file, releasesDatabaseUrl: built };
  const first = await startShellServer({ ...shared, releasesFolder: inFolder('first-releases') });
  await publishBuilds(first.url, tokens);
  await stopChild(first.child);
  const site = await startSite({
    ...shared,
    databaseUrl: ownerUrl,
    cookieSecret: 'end-to-end-tests-'.repeat(3),
    releasesFolder: inFolder('releases'),
    releasesDatabaseUrl: await copyOf(built),
    // All tests share one network and exceed its default rate limits.
    backendVariables: {
      LIMIT_NETWORK_WRITES: '100000',
      LIMIT_NETWORK_SIGNUPS: '100000',
      LIMIT_NETWORK_LOOKUPS: '100000',
    },
  });
  Object.assign(process.env, {
    SITE_URL: site.url,
    BACKEND_URL: site.backendUrl,
    DATABASE_URL: ownerUrl,
    RELEASES_DATABASE_URL: built,
    EMPTY_RELEASES_DATABASE_URL: empty,
    TOKENS_FOLDER: folder.path,
  });
  return async () => {
    await site.stop();
    await stop();
    folder.remove();
  };
}
