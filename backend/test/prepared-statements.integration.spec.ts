import { expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { signUp } from './support/factories.ts';
import { useBackend } from './support/use-backend.ts';

// A single connection: its prepared statements are all there are.
const { backend } = useBackend({ DATABASE_POOL_SIZE: 1 });

const query = <Row>(text: string, values?: unknown[]) => backend.app.get(DataSource).query<Row[]>(text, values);

test('a signup is one statement, which is prepared once and reused', async () => {
  for (let count = 0; count < 3; count++) await signUp(backend);
  const uses = await query<{ uses: string }>(
    `SELECT (generic_plans + custom_plans)::integer AS uses FROM pg_prepared_statements
     WHERE statement LIKE '%INSERT INTO subscriber%'`,
  );
  expect(uses).toEqual([{ uses: 3 }]);
});

test('a failed statement leaves its connection usable, also for the same statement', async () => {
  const divide = (by: number) => query<{ result: number }>('SELECT 6 / $1::integer AS result', [by]);
  await expect(divide(0)).rejects.toThrow('division by zero');
  await expect(divide(2)).resolves.toEqual([{ result: 3 }]);
  await expect(query('SELECT $1::integer FROM nowhere', [1])).rejects.toThrow('does not exist');
  await expect(query('SELECT $1::integer FROM nowhere', [1])).rejects.toThrow('does not exist');
  await expect(divide(3)).resolves.toEqual([{ result: 2 }]);
});

test('a statement without values is not prepared', async () => {
  await query('SELECT 1; SELECT 2');
  expect(await query('SELECT 1 FROM pg_prepared_statements WHERE statement = $1', ['SELECT 1; SELECT 2'])).toEqual([]);
});
