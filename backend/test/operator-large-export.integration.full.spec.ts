import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from '@jest/globals';
import { startOperator } from './support/operator.ts';
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
  const command = ['subscribers', 'export'];
  const { exitCode, output } = await startOperator(command, { DATABASE_URL: database.url }, smallHeap).ended;
  expect([exitCode, output.split('@example.com').length - 1]).toEqual([0, count]);
});

test('an export exits without an error when the reader closes the pipe', async () => {
  const { child } = startOperator(['subscribers', 'export'], { DATABASE_URL: database.url });
  const errors = text(child.stderr);
  child.stdout?.once('data', () => child.stdout?.destroy());
  const [exitCode] = await once(child, 'exit');
  expect({ exitCode, errors: await errors }).toEqual({ exitCode: 0, errors: '' });
});
