import { startReleasesDatabase } from '@daybook/testing/releases-database';
import { expect, test } from '@jest/globals';
import { PostgresRegistry } from '../src/registry/postgres-registry.ts';

test('a log of 300,000 changes is read in time: ten days of origins whose releases change at each poll', async () => {
  const database = await startReleasesDatabase();
  const registry = new PostgresRegistry(database.shellUrl);
  await database.query(`
    INSERT INTO releases.change (remote, revision, action, to_version, why, by)
    SELECT remote, number, 'activate', '1.0.1-00000001', 'new release at its origin', 'mirror'
    FROM generate_series(1, 150000) AS number, unnest('{mf-legal,mf-offers}'::text[]) AS remote`);
  const { changes } = await registry.read(new Map());
  expect(new Set(changes.map(({ remote, revision }) => `${remote} ${revision}`)).size).toBe(300_000);
  expect(changes).toHaveLength(300_000);
  await registry.close();
  await database.stop();
});
