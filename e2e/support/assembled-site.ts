import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createShellRole } from '@daybook/testing/database-roles';
import { startPostgres } from '@daybook/testing/postgres';
import { createReleasesTemplate } from '@daybook/testing/releases-database';
import { migrate, startSite, untilMirrored } from '@daybook/testing/site';

/** Starts the assembled site on a temporary database for the run; tests find it through the environment. */
export default async function startAssembledSite(): Promise<() => Promise<void>> {
  const folder = mkdtempDisposableSync(path.join(tmpdir(), 'daybook-e2e-'));
  const postgres = await startPostgres({
    folder: path.join(folder.path, 'postgres'),
    persistent: false,
    settings: { fsync: 'off' },
  });
  const releasesDatabaseUrl = await createShellRole(postgres.url);
  await migrate(postgres.url);
  await createReleasesTemplate(postgres.url);
  // At `info`, every write call logs a line.
  process.env.LOG_LEVEL ??= 'warn';
  const site = await startSite({
    databaseUrl: postgres.url,
    cookieSecret: 'end-to-end-tests-'.repeat(3),
    releasesFolder: path.join(folder.path, 'releases'),
    releasesDatabaseUrl,
    // All tests share one network and exceed its default rate limits.
    backendVariables: {
      LIMIT_NETWORK_WRITES: '100000',
      LIMIT_NETWORK_SIGNUPS: '100000',
      LIMIT_NETWORK_LOOKUPS: '100000',
    },
  });
  await untilMirrored(site.address);
  process.env.SITE_ADDRESS = site.address;
  process.env.BACKEND_ADDRESS = site.backendAddress;
  process.env.DATABASE_URL = postgres.url;
  process.env.RELEASES_DATABASE_URL = releasesDatabaseUrl;
  return async () => {
    await site.stop();
    await postgres.stop();
    folder.remove();
  };
}
