import { ageOf, CommandError, momentOf, UsageError } from '@daybook/server';
import { type Command, Option } from 'commander';
import { Any, type EntityManager } from 'typeorm';
import { type EventStatus, eventStatuses, OutboxEvent, OutboxRepository } from '../outbox/index.ts';
import { byOption, parseEventIds, parseWholeNumber } from './arguments.ts';
import type { OperatorContext } from './context.ts';
import { countOf, table } from './output.ts';

interface ListOptions {
  readonly status?: EventStatus;
  readonly limit: number;
  readonly json?: true;
}

interface ReplayOptions {
  readonly dead?: true;
  readonly by?: string;
  readonly json?: true;
}

export function addEventCommands(events: Command, context: OperatorContext): void {
  events
    .command('list')
    .description('lists pending, delivered and dead events, newest first')
    .addOption(new Option('--status <status>', 'only this status; pending events are retried').choices(eventStatuses))
    .option('--limit <number>', 'max number of events', parseWholeNumber(1, 100_000), 50)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nThe list contains no addresses; operator subscribers show <address> lists the events of one. Times are in UTC.',
    )
    .action(
      context.action(async ({ status, limit, json }: ListOptions) => {
        const { manager } = await context.connect();
        const [found, count] = await manager.findAndCount(OutboxEvent, {
          where: status ? { status } : {},
          order: { createdAt: 'DESC', id: 'DESC' },
          take: limit,
        });
        const rows = found.map(({ data, ...event }) => event);
        context.printResult(rows, json, () => [
          ...(count === 0 ? ['There are no such events.'] : describe(rows, Date.now())),
          ...(count > limit ? [`The newest ${limit} of ${countOf(count, 'event')}; more with --limit.`] : []),
        ]);
      }),
    );
  events
    .command('replay')
    .description('delivers dead events again')
    .argument('[id...]', 'event ids', parseEventIds)
    .option('--dead', 'all dead events instead of ids')
    .addOption(byOption())
    .option('--json', 'print the ids as JSON')
    .addHelpText('after', '\nEvents are delivered at once under the same id, and retried for three days.')
    .action(
      context.action(async (ids: readonly string[], { dead, by, json }: ReplayOptions) => {
        if (dead && ids.length > 0) throw new UsageError('Use either ids or --dead.');
        if (!dead && ids.length === 0)
          throw new UsageError('Name the ids of the events, or use --dead for all dead events.');
        const dataSource = await context.connectForAudit(by, 'events replay', dead ? { dead } : { ids }, (manager) =>
          addressesOfEvents(manager, ids),
        );
        const replayed = await new OutboxRepository(dataSource).replay(dead ? {} : { id: Any(ids) });
        context.printResult({ replayed }, json, () => [
          `${countOf(replayed.length, 'event')} will be delivered at once if a backend with WEBHOOK_URL is running.`,
        ]);
        const others = ids.filter((id) => !replayed.includes(id));
        if (others.length > 0)
          throw new CommandError(
            `No dead event has the id ${others.join(' or ')}; operator events list --status dead shows the dead ones.`,
          );
      }),
    );
}

/** Returns the addresses in events; one that reported an erasure has none. */
async function addressesOfEvents(manager: EntityManager, ids: readonly string[]): Promise<readonly string[]> {
  const events = await manager.findBy(OutboxEvent, { id: Any(ids) });
  return events.flatMap(({ data: { email } }) => (typeof email === 'string' ? [email] : []));
}

const describe = (events: readonly Omit<OutboxEvent, 'data'>[], now: number) =>
  table(events, {
    ID: ({ id }) => id,
    TYPE: ({ type }) => type,
    STATUS: ({ status }) => status,
    HAPPENED: ({ createdAt }) => createdAt,
    AGE: ({ createdAt }) => ageOf(createdAt.getTime(), now),
    ATTEMPTS: ({ attempts }) => attempts,
    'ENDED OR DUE': ({ endedAt, nextAttemptAt }) =>
      endedAt ?? (nextAttemptAt.getTime() <= now ? 'due now' : `due ${momentOf(nextAttemptAt)}`),
    'LAST FAILURE': ({ lastError }) => lastError,
  });
