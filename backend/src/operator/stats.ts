import { ageOf, alignColumns } from '@daybook/server';
import type { Command } from 'commander';
import { type DataSource, type EntityManager, IsNull, LessThan } from 'typeorm';
import { OutboxEvent } from '../outbox/index.ts';
import { PrivacyRequest } from '../privacy-requests/index.ts';
import { isCompleted, WaitlistEntry } from '../waitlist/index.ts';
import { dayLength, parseWholeNumber } from './arguments.ts';
import type { OperatorContext } from './context.ts';
import { countSubscribers } from './export-subscribers.ts';
import { ForgottenCount } from './forgotten-count.entity.ts';
import { table, textOf } from './output.ts';

type Stats = Awaited<ReturnType<typeof readStats>>;

export function addStatsCommand(program: Command, context: OperatorContext): void {
  program
    .command('stats')
    .description('counts subscribers, signups by day, pending and dead events, privacy requests')
    .option('--days <number>', 'days of signups, including today', parseWholeNumber(1, 366), 14)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
A registration counts as completed once its visitor finished it or reached the thank-you page, and as suspected
until then if the honeypot field was filled in. Subscribers and signups do not include forgotten addresses.`,
    )
    .action(
      context.action(async ({ days, json }: { days: number; json?: true }) => {
        const stats = await readStats(await context.connect(), days);
        context.printResult(stats, json, () => describeStats(stats, Date.now()));
      }),
    );
}

/** Reads all numbers in one snapshot; days are in UTC. */
function readStats(dataSource: DataSource, days: number) {
  return dataSource.transaction('REPEATABLE READ', async (manager) => {
    const now = new Date();
    const open = { doneAt: IsNull() };
    const oldest = await manager.findOne(OutboxEvent, { where: { status: 'pending' }, order: { createdAt: 'ASC' } });
    return {
      subscribers: await countSubscribers(manager),
      forgotten: (await manager.sum(ForgottenCount, 'count')) ?? 0,
      privacyRequests: {
        open: await manager.countBy(PrivacyRequest, open),
        overdue: await manager.countBy(PrivacyRequest, { ...open, dueAt: LessThan(now) }),
      },
      days: await countSignups(manager, days, now),
      events: {
        pending: await manager.countBy(OutboxEvent, { status: 'pending' }),
        oldestPendingSince: oldest?.createdAt.toISOString() ?? null,
        delivered: await manager.countBy(OutboxEvent, { status: 'delivered' }),
        dead: await manager.countBy(OutboxEvent, { status: 'dead' }),
      },
    };
  });
}

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);

/** Counts the registrations of each of the last days, the oldest first, including days without any. */
async function countSignups(manager: EntityManager, days: number, now: Date) {
  const daysAgo = (count: number) => dayOf(new Date(now.getTime() - count * dayLength));
  const rows = await manager
    .createQueryBuilder(WaitlistEntry, 'entry')
    .select(`to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`, 'day')
    .addSelect('count(*)', 'signups')
    .addSelect(`count(*) FILTER (WHERE ${isCompleted})`, 'completed')
    .addSelect(`count(*) FILTER (WHERE NOT (${isCompleted}) AND NOT suspected)`, 'unfinished')
    .addSelect(`count(*) FILTER (WHERE NOT (${isCompleted}) AND suspected)`, 'suspected')
    .where('created_at >= :since', { since: `${daysAgo(days - 1)}T00:00:00Z` })
    .groupBy('day')
    .getRawMany<{ day: string; signups: number; completed: number; unfinished: number; suspected: number }>();
  return Array.from({ length: days }, (_, index) => {
    const day = daysAgo(days - 1 - index);
    return rows.find((row) => row.day === day) ?? { day, signups: 0, completed: 0, unfinished: 0, suspected: 0 };
  });
}

/** Formats the numbers as text. */
function describeStats({ subscribers, forgotten, privacyRequests, events, days }: Stats, now: number) {
  const { oldestPendingSince, ...counts } = events;
  return [
    ...alignColumns([
      ['Subscribers', textOf(subscribers)],
      ['Forgotten addresses', textOf(forgotten)],
      ['Privacy requests', textOf(privacyRequests)],
      ['Events', textOf(counts)],
      ['Oldest pending event', oldestPendingSince ? ageOf(Date.parse(oldestPendingSince), now) : '–'],
    ]),
    '',
    ...table(days, {
      'DAY (UTC)': ({ day }) => day,
      SIGNUPS: ({ signups }) => signups,
      COMPLETED: ({ completed }) => completed,
      UNFINISHED: ({ unfinished }) => unfinished,
      SUSPECTED: ({ suspected }) => suspected,
    }),
  ];
}
