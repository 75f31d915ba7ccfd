import { type ReleasesDatabase, startReleasesDatabase } from '@daybook/runner/releases-database';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PostgresRegistry } from '../src/registry/postgres-registry.ts';

let database: ReleasesDatabase;
let registry: PostgresRegistry;
beforeAll(async () => {
  database = await startReleasesDatabase();
  registry = new PostgresRegistry(database.shellUrl);
});
afterAll(async () => {
  await registry.close();
  await database.stop();
});

test('a log of 300,000 deployments is read in time: ten days of a machine that publishes every six seconds', async () => {
  await database.query(`
    INSERT INTO releases.deployment (remote, number, action, version, why, by)
    SELECT remote, number, 'activate', '1.0.1-00000001', 'published', 'team'
    FROM generate_series(1, 150000) AS number, unnest('{mf-legal,mf-offers}'::text[]) AS remote`);
  const { deployments } = await registry.read(new Map());
  expect(new Set(deployments.map(({ remote, number }) => `${remote} ${number}`)).size).toBe(300_000);
  expect(deployments).toHaveLength(300_000);
  // Each statement has its own timeout of 3 s; the whole takes long on a busy machine.
}, 300_000);
