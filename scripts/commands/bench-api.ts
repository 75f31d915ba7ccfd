import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError } from '@daybook/server';
import { startPostgres } from '@daybook/testing/postgres';
import { root } from '@daybook/testing/workspaces';
import { compareFill } from '../../backend/bench/compare-fill.ts';
import { compareServers } from '../../backend/bench/compare-servers.ts';
import { buildContestants } from '../../backend/bench/contestants.ts';
import type { BenchPart, Effort } from '../../backend/bench/parts.ts';
import { watchMemory } from '../../backend/bench/watch-memory.ts';
import { publish } from '../../bench/report/publish.ts';
import { buildStale } from '../build-stale.ts';
import { runCommand } from '../run-command.ts';

const usual: Effort = {
  rounds: 7,
  seconds: 2.5,
  warmUpSeconds: 5,
  connections: [1, 8, 64],
  minutes: 10,
  subscribers: 1_000_000,
};
/** Shows that it works, and nothing about speed. */
const quickest: Effort = {
  rounds: 1,
  seconds: 1,
  warmUpSeconds: 1,
  connections: [2],
  minutes: 0.05,
  subscribers: 1_000,
};

const usage = 'Write npm run bench:api, with -- --minutes 10, --million, --to <folder> or --quick.';

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string' },
        million: { type: 'boolean' },
        quick: { type: 'boolean' },
        to: { type: 'string', default: path.join(root, 'docs/performance') },
      },
    });
    const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
    if (minutes !== undefined && !(minutes > 0)) throw new Error(`“${values.minutes}” is no number of minutes.`);
    return { ...values, minutes };
  } catch (error) {
    throw new CommandError(`${(error as Error).message} ${usage}`);
  }
}

function chosenParts({ minutes, million }: ReturnType<typeof readOptions>): BenchPart[] {
  const chosen = [...(minutes === undefined ? [] : [watchMemory]), ...(million ? [compareFill] : [])];
  return chosen.length > 0 ? chosen : [compareServers];
}

/**
 * `npm run bench:api`: this backend against a bare Fastify + pg handler and a naive Nest + TypeORM one, on one
 * PostgreSQL server that writes to the disk as in earnest. `--minutes 10` watches the backend's memory instead,
 * `--million` compares a database with a million subscribers to an empty one; `--quick` tries whether it works. Writes
 * a table, a JSON file and a picture to `docs/performance/`, or the folder after `--to`.
 */
await runCommand(async (started) => {
  const options = readOptions();
  const effort = options.quick ? quickest : { ...usual, minutes: options.minutes ?? usual.minutes };
  await buildStale(console.log, ['backend']);
  await buildContestants();
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-bench-'));
  started.defer(() => rmSync(folder, { recursive: true }));
  for (const part of chosenParts(options)) {
    console.log('Starting PostgreSQL, empty and with fsync on …');
    const postgres = await startPostgres({ folder: path.join(folder, part.name), persistent: false });
    started.defer(() => postgres.stop());
    const report = (line: string) => console.log(`  ${line}`);
    const result = await part({ postgres, folder, effort, report });
    publish(options.to, 'api.md', result);
    console.log(
      `\n${result.text}\n\nWritten to ${path.relative(process.cwd(), options.to)}/${result.name}.{json,svg} and api.md.`,
    );
  }
});
