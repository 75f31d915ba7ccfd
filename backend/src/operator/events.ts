import { ageOf, alignColumns, CommandError, UsageError } from '@daybook/server';
import { type Command, Option } from 'commander';
import { Any, type DataSource, type FindOptionsWhere, IsNull, MoreThanOrEqual, Not } from 'typeorm';
import { type EventStatus, eventStatuses, eventStatusOf, OutboxEvent, OutboxRepository } from '../outbox/index.ts';
import { parseEventIds, parseMoment, parseWholeNumber } from './arguments.ts';
import type { OperatorContext } from './context.ts';
import { countOf, momentOf, numberOf, printable, rowOf } from './output.ts';

const hasStatus: Readonly<Record<EventStatus, FindOptionsWhere<OutboxEvent>>> = {
  pending: { deliveredAt: IsNull(), deadAt: IsNull() },
  delivered: { deliveredAt: Not(IsNull()) },
  dead: { deadAt: Not(IsNull()) },
};

interface ListOptions {
  readonly status?: EventStatus;
  readonly type?: OutboxEvent['type'];
  readonly since?: Date;
  readonly limit: number;
  readonly json?: true;
}

interface ReplayOptions {
  readonly dead?: true;
  readonly type?: OutboxEvent['type'];
  readonly json?: true;
}

export function addEventCommands(events: Command, context: OperatorContext): void {
  events
    .command('list')
    .description('what waits, was delivered, or is dead')
    .addOption(
      new Option('--status <status>', 'pending ones are retried until delivered or dead').choices(eventStatuses),
    )
    .option('--type <type>', 'such as signup.created')
    .option(
      '--since <day|time|age>',
      'what happened since 2026-11-21, 2026-11-21T08:00:00Z, or in the last 7d',
      parseMoment,
    )
    .option('--limit <number>', 'the newest so many', parseWholeNumber(1, 100_000), 50)
    .option('--json', 'the same for programs')
    .addHelpText(
      'after',
      '\nIt shows no addresses; operator subscribers show <address> has the events of one. Times are in UTC.',
    )
    .action(
      context.action(async (options: ListOptions) => {
        const { manager } = await context.connect();
        const [found, count] = await manager.findAndCount(OutboxEvent, {
          where: {
            ...(options.status && hasStatus[options.status]),
            ...(options.type && { type: options.type }),
            ...(options.since && { createdAt: MoreThanOrEqual(options.since) }),
          },
          order: { createdAt: 'DESC', id: 'DESC' },
          take: options.limit,
        });
        if (options.json)
          context.printJson(found.map(({ data, ...event }) => ({ ...rowOf(event), status: eventStatusOf(event) })));
        else context.print(describe(found, count, Date.now()));
      }),
    );
  events
    .command('replay')
    .description('delivers dead events once more')
    .argument('[id...]', 'of the events', parseEventIds)
    .option('--dead', 'all that are dead, in place of ids')
    .option('--type <type>', 'with --dead: only those of a type, such as signup.created')
    .option('--json', 'the ids, for programs')
    .addHelpText(
      'after',
      `
They go out under the same id at once, and if need be again for three days. With several ids, either all of them are
dead, or none is replayed.`,
    )
    .action(
      context.action(async (named: readonly string[], { dead, type, json }: ReplayOptions) => {
        if (dead && named.length > 0) throw new UsageError('Write either ids or --dead.');
        if (!dead && named.length === 0)
          throw new UsageError('Write the ids of the events, or --dead for all that are dead.');
        if (!dead && type) throw new UsageError('--type goes with --dead.');
        const dataSource = await context.connect();
        const ids = dead ? await deadEvents(dataSource, type) : await checkDead(dataSource, named);
        const outbox = new OutboxRepository(dataSource);
        const replayed: string[] = [];
        for (const id of ids) {
          context.stop.throwIfAborted();
          if (await outbox.replay(id)) replayed.push(id);
        }
        if (json) context.printJson({ replayed });
        else if (replayed.length === 0) context.print(['No event is dead; there is nothing to replay.']);
        else
          context.print([
            `${countOf(replayed.length, 'event')} will be delivered at once, if a backend with WEBHOOK_URL runs.`,
          ]);
      }),
    );
}

async function deadEvents({ manager }: DataSource, type?: OutboxEvent['type']): Promise<readonly string[]> {
  const where = { ...hasStatus.dead, ...(type && { type }) };
  return (await manager.find(OutboxEvent, { select: { id: true }, where, order: { id: 'ASC' } })).map(({ id }) => id);
}

/** @throws CommandError naming the events that are not dead */
async function checkDead({ manager }: DataSource, ids: readonly string[]): Promise<readonly string[]> {
  const events = await manager.findBy(OutboxEvent, { id: Any(ids) });
  const problems = ids.flatMap((id) => {
    const event = events.find((each) => each.id === id);
    if (!event) return [`There is no event ${id}; operator events list shows those there are.`];
    const status = eventStatusOf(event);
    if (status === 'delivered') return [`Event ${id} was delivered; only dead events are replayed.`];
    return status === 'pending' ? [`Event ${id} is pending: it is retried by itself.`] : [];
  });
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
  return ids;
}

/** When an event ended, or when it is tried again. */
function endOf({ deliveredAt, deadAt, nextAttemptAt }: OutboxEvent, now: number): string {
  const end = deliveredAt ?? deadAt;
  if (end) return momentOf(end);
  return nextAttemptAt.getTime() <= now ? 'due now' : `due ${momentOf(nextAttemptAt)}`;
}

function describe(events: readonly OutboxEvent[], count: number, now: number): readonly string[] {
  if (count === 0) return ['There are no such events.'];
  const table = alignColumns([
    ['ID', 'TYPE', 'STATUS', 'HAPPENED', 'AGE', 'ATTEMPTS', 'ENDED OR DUE', 'LAST FAILURE'],
    ...events.map((event) => [
      event.id,
      event.type,
      eventStatusOf(event),
      momentOf(event.createdAt),
      ageOf(event.createdAt.getTime(), now),
      String(event.attempts),
      endOf(event, now),
      printable(event.lastError ?? ''),
    ]),
  ]);
  return events.length < count
    ? [...table, `The newest ${numberOf(events.length)} of ${countOf(count, 'event')}; more with --limit.`]
    : table;
}
