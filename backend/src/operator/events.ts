import { ageOf, CommandError, UsageError } from '@daybook/server';
import { type Command, Option } from 'commander';
import { Any } from 'typeorm';
import {
  type EventStatus,
  eventStatuses,
  eventStatusOf,
  hasStatus,
  OutboxEvent,
  OutboxRepository,
} from '../outbox/index.ts';
import { parseEventIds, parseWholeNumber } from './arguments.ts';
import type { OperatorContext } from './context.ts';
import { countOf, momentOf, table } from './output.ts';

interface ListOptions {
  readonly status?: EventStatus;
  readonly limit: number;
  readonly json?: true;
}

interface ReplayOptions {
  readonly dead?: true;
  readonly json?: true;
}

export function addEventCommands(events: Command, context: OperatorContext): void {
  events
    .command('list')
    .description('what waits, was delivered, or is dead')
    .addOption(
      new Option('--status <status>', 'pending ones are retried until delivered or dead').choices(eventStatuses),
    )
    .option('--limit <number>', 'the newest so many', parseWholeNumber(1, 100_000), 50)
    .option('--json', 'the same for programs')
    .addHelpText(
      'after',
      '\nIt shows no addresses; operator subscribers show <address> has the events of one. Times are in UTC.',
    )
    .action(
      context.action(async ({ status, limit, json }: ListOptions) => {
        const { manager } = await context.connect();
        const [found, count] = await manager.findAndCount(OutboxEvent, {
          where: status ? hasStatus[status] : {},
          order: { createdAt: 'DESC', id: 'DESC' },
          take: limit,
        });
        const rows = found.map(({ data, ...event }) => ({ ...event, status: eventStatusOf(event) }));
        context.printResult(rows, json, () => [
          ...(count === 0 ? ['There are no such events.'] : describe(rows, Date.now())),
          ...(count > limit ? [`The newest ${limit} of ${countOf(count, 'event')}; more with --limit.`] : []),
        ]);
      }),
    );
  events
    .command('replay')
    .description('delivers dead events once more')
    .argument('[id...]', 'of the events', parseEventIds)
    .option('--dead', 'all that are dead, in place of ids')
    .option('--json', 'the ids, for programs')
    .addHelpText('after', '\nThey go out under the same id at once, and if need be again for three days.')
    .action(
      context.action(async (ids: readonly string[], { dead, json }: ReplayOptions) => {
        if (dead && ids.length > 0) throw new UsageError('Write either ids or --dead.');
        if (!dead && ids.length === 0)
          throw new UsageError('Write the ids of the events, or --dead for all that are dead.');
        const replayed = await new OutboxRepository(await context.connect()).replay(dead ? {} : { id: Any(ids) });
        context.printResult({ replayed }, json, () => [
          `${countOf(replayed.length, 'event')} will be delivered at once, if a backend with WEBHOOK_URL runs.`,
        ]);
        const others = ids.filter((id) => !replayed.includes(id));
        if (others.length > 0)
          throw new CommandError(
            `No dead event has the id ${others.join(' or ')}; operator events list --status dead shows those there are.`,
          );
      }),
    );
}

const describe = (events: readonly (Omit<OutboxEvent, 'data'> & { readonly status: EventStatus })[], now: number) =>
  table(events, {
    ID: ({ id }) => id,
    TYPE: ({ type }) => type,
    STATUS: ({ status }) => status,
    HAPPENED: ({ createdAt }) => createdAt,
    AGE: ({ createdAt }) => ageOf(createdAt.getTime(), now),
    ATTEMPTS: ({ attempts }) => attempts,
    'ENDED OR DUE': ({ deliveredAt, deadAt, nextAttemptAt }) =>
      deliveredAt ?? deadAt ?? (nextAttemptAt.getTime() <= now ? 'due now' : `due ${momentOf(nextAttemptAt)}`),
    'LAST FAILURE': ({ lastError }) => lastError,
  });
