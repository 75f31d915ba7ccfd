import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { runProgram } from './support/processes.ts';
import { useDatabase } from './support/use-backend.ts';

const count = 200_000;
/** In MB. All rows as objects would not fit. */
const smallHeap = ['--max-old-space-size=64', '--max-semi-space-size=1'];

const database = useDatabase();

beforeAll(() =>
  database.query(
    `WITH known AS (
       INSERT INTO subscriber (email) SELECT 'reader' || n || '@example.com' FROM generate_series(1, $1::int) n
       RETURNING id
     ) INSERT INTO waitlist_entry (id, subscriber_id, first_name, last_name, zip_code, selected_offers)
       SELECT id, id, 'First name ' || id, repeat('x', 80), '10001', '{grocery,vivint}' FROM known`,
    [count],
  ),
);

test('an export of 200,000 subscribers needs little memory', async () => {
  const main = join(import.meta.dirname, '../build/operator/main.js');
  const environment = { DATABASE_URL: database.url, OPERATOR: 'Ann' };
  const { exitCode, output } = await runProgram([...smallHeap, main, 'subscribers', 'export'], environment).ended;
  expect([exitCode, output.split('@example.com').length - 1]).toEqual([0, count]);
});
