import { startReleasesDatabase } from '@daybook/testing/releases-database';
import { expect, test } from '@jest/globals';
import { PostgresRegistry } from '../src/registry/postgres-registry.ts';

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('a server reads a log of 300,000 changes: ten days of origins whose releases change at each poll', async () => {
  const database = await startReleasesDatabase();
  const registry = new PostgresRegistry(database.shellUrl);
  await database.query(`
    INSERT INTO releases.change (remote, revision, action, to_version, why, by)
    SELECT remote, number, 'activate', '1.0.1-00000001', 'new release at its origin', 'mirror'
    FROM generate_series(1, 150000) AS number, unnest('{mf-legal,mf-offers}'::text[]) AS remote`);
  const read = async (known: Readonly<Record<string, number>>) => {
    const { changes } = await registry.read(new Map(Object.entries(known)));
    return Object.groupBy(changes, ({ remote }) => remote);
  };
  const revisions = (changes: Awaited<ReturnType<typeof read>>, remote: string) =>
    changes[remote]?.map(({ revision }) => revision);

  const whole = await read({});
  expect(revisions(whole, 'mf-legal')).toEqual(numbers(1, 150_000));
  expect(revisions(whole, 'mf-offers')).toEqual(numbers(1, 150_000));
  // The last change that a server knows comes again, so that it sees whether the log is another one.
  const rest = await read({ 'mf-legal': 70_000, 'mf-offers': 150_000 });
  expect(revisions(rest, 'mf-legal')).toEqual(numbers(70_000, 150_000));
  expect(revisions(rest, 'mf-offers')).toEqual([150_000]);
  await registry.close();
  await database.stop();
});
