import type { DataSource } from 'typeorm';
import { OutboxRepository, OutboxService } from '../../outbox/index.ts';
import { type Command, print, printJson, type Workplace } from '../command-line/command.ts';
import { OperatorError, UsageError } from '../command-line/errors.ts';
import type { Given } from '../command-line/given.ts';
import { readEventId } from '../command-line/values.ts';
import { countOf, numberOf } from '../output/printable.ts';
import { Progress } from '../output/progress.ts';
import { eventStatusOf, hasStatus } from './event-status.ts';

export const replayEvents: Command = {
  name: 'events replay',
  summary: 'delivers dead events once more',
  words: ['<id>…'],
  options: { dead: { type: 'boolean' }, type: { type: 'string' }, json: { type: 'boolean' } },
  help: [
    '  --dead          all that are dead, in place of ids',
    '  --type <type>   with --dead: only those of a type, such as signup.created',
    '  --json          the ids, for programs',
    '',
    'They go out under the same id at once, and if need be again for three days. With several ids, either all of them',
    'are dead, or none is replayed.',
  ],
  run: async (given, workplace) => {
    const named = readWanted(given);
    const dataSource = await workplace.connect();
    if (named.length > 0) await refuseOthersThanDead(dataSource, named);
    const ids = named.length > 0 ? named : await deadEvents(dataSource, given.text('type'));
    const replayed = await replay(ids, dataSource, workplace);
    if (given.has('json')) printJson(workplace, { replayed });
    else print(workplace, [describe(replayed.length)]);
  },
};

function describe(count: number): string {
  if (count === 0) return 'No event is dead; there is nothing to replay.';
  return `${countOf(count, 'event')} will be delivered at once, if a backend with WEBHOOK_URL runs.`;
}

function readWanted(given: Given): readonly string[] {
  const { words } = given;
  if (given.has('dead') && words.length > 0) throw new UsageError('Write either ids or --dead.');
  if (!given.has('dead') && words.length === 0)
    throw new UsageError('Write the ids of the events, or --dead for all that are dead.');
  if (!given.has('dead') && given.text('type') !== undefined) throw new UsageError('--type goes with --dead.');
  return [...new Set(words.map(readEventId))];
}

async function refuseOthersThanDead(dataSource: DataSource, ids: readonly string[]): Promise<void> {
  const rows = await dataSource.query<{ id: string; delivered_at: unknown; dead_at: unknown }[]>(
    'SELECT id, delivered_at, dead_at FROM outbox_event WHERE id = ANY ($1::uuid[])',
    [ids],
  );
  const found = new Map(rows.map((row) => [row.id, eventStatusOf(row)]));
  const problems = ids.flatMap((id) => {
    switch (found.get(id)) {
      case 'dead':
        return [];
      case 'delivered':
        return [`Event ${id} was delivered; only dead events are replayed.`];
      case 'pending':
        return [`Event ${id} is pending: it is tried again by itself.`];
      default:
        return [`There is no event ${id}; operator events list shows those there are.`];
    }
  });
  if (problems.length > 0) throw new OperatorError(problems.join('\n'));
}

async function deadEvents(dataSource: DataSource, type: string | undefined): Promise<readonly string[]> {
  const rows = await dataSource.query<{ id: string }[]>(
    `SELECT id FROM outbox_event WHERE ${hasStatus.dead} AND ($1::text IS NULL OR type = $1) ORDER BY id`,
    [type ?? null],
  );
  return rows.map(({ id }) => id);
}

async function replay(ids: readonly string[], dataSource: DataSource, { terminal, stop }: Workplace) {
  const outbox = new OutboxService(new OutboxRepository(dataSource));
  const progress = new Progress(terminal.errors);
  const replayed: string[] = [];
  for (const id of ids) {
    stop.throwIfAborted();
    if (await outbox.replay(id)) replayed.push(id);
    progress.tell(() => `${numberOf(replayed.length)} of ${countOf(ids.length, 'event')} replayed`);
  }
  progress.end();
  return replayed;
}
