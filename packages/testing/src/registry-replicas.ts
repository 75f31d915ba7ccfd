import type { ReleasesDatabase } from '@daybook/runner/releases-database';
import { afterEach, beforeEach, describe } from '@jest/globals';

interface Kinds<Registry> {
  readonly inMemory: () => Registry;
  /** Connects to the database, which is empty before each test. */
  readonly inPostgres: (database: ReleasesDatabase) => Registry;
  /** Called for each test: the database starts in `beforeAll`. */
  readonly database: () => ReleasesDatabase;
}

/**
 * Describes two replicas of a site with one registry: in memory, and in PostgreSQL, where each has connections of its own.
 *
 * @param title with `%s` for where the registry is
 * @param define defines the tests, which call its parameter for their replicas
 */
export function describeReplicas<Registry extends { close(): Promise<void> }>(
  title: string,
  { inMemory, inPostgres, database }: Kinds<Registry>,
  define: (replicas: () => readonly [Registry, Registry]) => void,
): void {
  const kinds = {
    'in memory': () => {
      const registry = inMemory();
      return [registry, registry] as const;
    },
    'in PostgreSQL': () => [inPostgres(database()), inPostgres(database())] as const,
  };
  describe.each(Object.entries(kinds))(title, (_kind, open) => {
    let replicas: readonly [Registry, Registry];
    beforeEach(async () => {
      await database().empty();
      replicas = open();
    });
    afterEach(async () => {
      for (const replica of new Set(replicas)) await replica.close();
    });
    define(() => replicas);
  });
}
