import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { startOperator } from './support/operator.ts';
import type { TestDatabase } from './support/test-database.ts';
import { useDatabase } from './support/use-backend.ts';

const count = 200_000;
/** In MB. Forces early garbage collection; all rows as objects would not fit. */
const smallHeap = ['--max-old-space-size=64', '--max-semi-space-size=1'];
/** Prints the peak memory of the process, in kB. */
const report = 'process.on("exit", () => console.error(process.resourceUsage().maxRSS))';

const [few, many] = [useDatabase(), useDatabase()];

beforeAll(async () => {
  for (const [database, rows] of [
    [few, 1_000],
    [many, count],
  ] as const) {
    await database.query(
      `WITH known AS (
         INSERT INTO subscriber (email) SELECT 'reader' || n || '@example.com' FROM generate_series(1, $1::int) n
         RETURNING id
       ) INSERT INTO waitlist_entry (id, subscriber_id, first_name, last_name, zip_code, selected_offers)
         SELECT id, id, 'First name ' || id, repeat('x', 80), '10001', '{grocery,vivint}' FROM known`,
      [rows],
    );
    await database.query('ANALYZE');
  }
});

/** Exports, and returns the text and the peak memory of the process, in MB. */
async function exportOf(database: TestDatabase, format: string) {
  const { exitCode, output, errors } = await startOperator(
    ['subscribers', 'export', '--format', format],
    { DATABASE_URL: database.url },
    [...smallHeap, '--import', `data:text/javascript,${encodeURIComponent(report)}`],
  ).ended;
  expect(exitCode).toBe(0);
  return { output, memory: Number(errors.trim().split('\n').at(-1)) / 1024 };
}

describe('an export of 200,000 subscribers', () => {
  test.each(['csv', 'json'])('as %s needs no more memory than an export of a thousand', async (format) => {
    const { output, memory } = await exportOf(many, format);
    expect(memory - (await exportOf(few, format)).memory).toBeLessThan(40);
    expect(output.split('@example.com').length - 1).toBe(count);
  });

  test('exits without an error when the reader closes the pipe', async () => {
    const { child } = startOperator(['subscribers', 'export'], { DATABASE_URL: many.url });
    const errors = text(child.stderr);
    child.stdout?.once('data', () => child.stdout?.destroy());
    const [exitCode] = await once(child, 'exit');
    expect({ exitCode, errors: await errors }).toEqual({ exitCode: 0, errors: '' });
  });
});
