import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startOperator } from './support/operator.ts';
import type { TestDatabase } from './support/test-database.ts';
import { useDatabase } from './support/use-backend.ts';

const count = 200_000;
/** In MB. Forces early garbage collection; all rows as objects would not fit. */
const smallHeap = ['--max-old-space-size=64', '--max-semi-space-size=1'];
/** Prints the peak memory of the process, in kB. */
const report = 'process.on("exit", () => console.error(process.resourceUsage().maxRSS))';

const [few, many] = [useDatabase(), useDatabase()];
let folder: string;

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

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'daybook-export-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Exports to a file and returns the peak memory of the process, in MB. */
async function memoryOfExport(database: TestDatabase, format: string, file: string): Promise<number> {
  const { exitCode, errors } = await startOperator(
    ['subscribers', 'export', '--format', format, '--output', file],
    { DATABASE_URL: database.url },
    [...smallHeap, '--import', `data:text/javascript,${encodeURIComponent(report)}`],
  ).ended;
  expect(exitCode).toBe(0);
  return Number(errors.trim().split('\n').at(-1)) / 1024;
}

describe('an export of 200,000 subscribers', () => {
  test.each(['csv', 'json'])('as %s needs no more memory than an export of a thousand', async (format) => {
    const file = join(folder, 'many');
    const difference =
      (await memoryOfExport(many, format, file)) - (await memoryOfExport(few, format, join(folder, 'few')));
    expect(difference).toBeLessThan(40);
    expect(readFileSync(file, 'utf8').split('@example.com').length - 1).toBe(count);
  });

  test('exits without an error when the reader closes the pipe', async () => {
    const { child } = startOperator(['subscribers', 'export'], { DATABASE_URL: many.url });
    const errors = text(child.stderr);
    child.stdout?.once('data', () => child.stdout?.destroy());
    const [exitCode] = await once(child, 'exit');
    expect({ exitCode, errors: await errors }).toEqual({ exitCode: 0, errors: '' });
  });

  test('removes its file when it is aborted', async () => {
    const file = join(folder, 'stopped.csv');
    const { child, ended } = startOperator(['subscribers', 'export', '--output', file], { DATABASE_URL: many.url });
    const watch = spawn(process.execPath, [
      '-e',
      `const fs = require('fs'); setInterval(() => {
        const [name] = fs.readdirSync(process.argv[1]);
        if (name && fs.statSync(process.argv[1] + '/' + name).size > 0) process.exit();
      }, 1)`,
      folder,
    ]);
    await once(watch, 'exit');
    child.kill('SIGINT');
    expect(await ended).toEqual({ exitCode: 130, output: '', errors: '' });
    expect(readdirSync(folder)).toEqual([]);
  });
});
