import { startReleasesDatabase } from '@daybook/testing/releases-database';
import { expect, test } from '@jest/globals';
import { PostgresRegistry } from '../src/registry/postgres-registry.ts';

test('a new server reads a log of 300,000 changes: ten days of an origin whose release changes at each poll', async () => {
  const database = await startReleasesDatabase();
  const registry = new PostgresRegistry(database.shellUrl);
  await database.query(`
    INSERT INTO releases.change (remote, revision, action, to_version, why, by)
    SELECT 'mf-legal', number, 'activate', '1.0.1-00000001', 'new release at its origin', 'mirror'
    FROM generate_series(1, 300000) AS number`);
  expect((await registry.read(new Map())).changes).toHaveLength(300_000);
  await registry.close();
  await database.stop();
});
