import { statSync } from 'node:fs';
import { setInterval } from 'node:timers';
import { sizeOf } from '@daybook/server';
import { type Command, print, type Workplace } from '../command-line/command.ts';
import { OperatorError } from '../command-line/errors.ts';
import { writeAside } from '../output/output-file.ts';
import { Progress } from '../output/progress.ts';
import { checkProgram, connectionOf, queueSchema, runProgram } from './postgres-programs.ts';

/** How often the size of the file is looked at, in ms. */
const interval = 200;

/**
 * Without pg-boss's schema: it is made anew by the migrations, and its tables by day could not be replaced in a database
 * of another day.
 */
const options = [
  '--format=custom',
  `--exclude-schema=${queueSchema}`,
  '--no-unlogged-table-data',
  '--no-owner',
  '--no-privileges',
  '--no-password',
];

export const backup: Command = {
  name: 'backup',
  summary: 'the database in a file, by pg_dump',
  words: ['<file>'],
  options: { force: { type: 'boolean' } },
  help: [
    '  --force   replace a file that is there',
    '',
    'While the site runs, and as of one moment. The file is compressed, in the custom format of pg_dump, and there once',
    'it is whole. It holds every address: only you can read it; keep it so. Left out are the queue of deliveries that',
    'are under way, for events know themselves what became of them, and the counts of the limits.',
    'pg_dump is found by PATH, or in the folder that PG_BIN names; its version must be that of the server or newer.',
  ],
  run: async (given, workplace) => {
    const [file = ''] = given.words;
    await checkProgram('pg_dump', await workplace.connect());
    await writeAside(file, given.has('force'), (unfinished) => dump(unfinished, workplace));
    print(workplace, [`${sizeOf(statSync(file).size)} written to ${file}.`]);
  },
};

async function dump(file: string, { environment, terminal, stop }: Workplace): Promise<void> {
  const { address, environment: secret } = connectionOf(environment().DATABASE_URL);
  const { ended } = runProgram('pg_dump', [...options, `--file=${file}`, `--dbname=${address}`], secret, stop);
  const progress = new Progress(terminal.errors);
  const timer = setInterval(() => progress.tell(() => `${sizeOf(statSync(file).size)} written`), interval);
  try {
    const { code, errors } = await ended;
    if (code !== 0) throw new OperatorError(`pg_dump could not back up the database:\n${errors}`);
  } finally {
    clearInterval(timer);
    progress.end();
  }
}
