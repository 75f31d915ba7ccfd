import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createShellRole } from './database-roles.ts';
import { startPostgres } from './postgres.ts';
import { stopChild } from './processes.ts';
import { pushBuilds } from './pushing.ts';
import { copyReleasesDatabase, createReleasesDatabase } from './releases-database.ts';
import { migrate, startShellServer, startSite } from './site.ts';
import { openTokens } from './tokens.ts';

/** Starts the assembled site on a temporary database for the run; tests find it through the environment. */
export default async function startAssembledSite(): Promise<() => Promise<void>> {
  const folder = mkdtempDisposableSync(path.join(tmpdir(), 'daybook-e2e-'));
  const postgres = await startPostgres({
    folder: path.join(folder.path, 'postgres'),
    persistent: false,
    settings: { fsync: 'off' },
  });
  const shellUrl = await createShellRole(postgres.url);
  await migrate(postgres.url);
  // At `info`, every write call logs a line.
  process.env.LOG_LEVEL ??= 'warn';
  const tokens = openTokens(folder.path);
  const inFolder = (name: string) => path.join(folder.path, name);
  // Pushed once for all sites of the run, which copy its database.
  const releasesDatabaseUrl = await createReleasesDatabase(postgres.url, shellUrl);
  const shared = { releasesDatabaseUrl, tokensFile: tokens.file };
  const first = await startShellServer({ ...shared, releasesFolder: inFolder('first-releases') });
  await pushBuilds(first.url, tokens);
  await stopChild(first.child);
  const site = await startSite({
    ...shared,
    databaseUrl: postgres.url,
    cookieSecret: 'end-to-end-tests-'.repeat(3),
    releasesFolder: inFolder('releases'),
    releasesDatabaseUrl: await copyReleasesDatabase(postgres.url, releasesDatabaseUrl),
    // All tests share one network and exceed its default rate limits.
    backendVariables: {
      LIMIT_NETWORK_WRITES: '100000',
      LIMIT_NETWORK_SIGNUPS: '100000',
      LIMIT_NETWORK_LOOKUPS: '100000',
    },
  });
  process.env.SITE_URL = site.url;
  process.env.BACKEND_URL = site.backendUrl;
  process.env.DATABASE_URL = postgres.url;
  process.env.RELEASES_DATABASE_URL = releasesDatabaseUrl;
  process.env.TOKENS_FOLDER = folder.path;
  return async () => {
    await site.stop();
    await postgres.stop();
    folder.remove();
  };
}
