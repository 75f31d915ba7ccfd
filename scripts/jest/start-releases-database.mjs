import { startReleasesDatabase } from '@daybook/testing/releases-database';

/** Starts one PostgreSQL for all spec files of the shell server, each of which copies its migrated database. */
export default async function start() {
  globalThis.releasesDatabase = await startReleasesDatabase();
  process.env.TEST_RELEASES_OWNER_URL = globalThis.releasesDatabase.ownerUrl;
  process.env.TEST_RELEASES_URL = globalThis.releasesDatabase.shellUrl;
}
