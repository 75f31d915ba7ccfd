import { ageOf, alignColumns, sizeOf } from '@daybook/server';
import type { Command } from 'commander';
import { type DataSource, type EntityManager, IsNull, LessThan, Not } from 'typeorm';
import { EmergencyNotice } from '../emergency-notice/index.ts';
import { OutboxEvent } from '../outbox/index.ts';
import { PrivacyRequest } from '../privacy-requests/index.ts';
import { isCompleted, WaitlistEntry } from '../waitlist/index.ts';
import { parseWholeNumber } from './arguments.ts';
import type { OperatorContext } from './context.ts';
import { countSubscribers } from './export-subscribers.ts';
import { ForgottenCount } from './forgotten-count.entity.ts';
import { countOf, numberOf } from './output.ts';

export type Stats = Awaited<ReturnType<typeof readStats>>;

export function addStatsCommand(program: Command, context: OperatorContext): void {
  program
    .command('stats')
    .description('subscribers, signups by day, events that are pending or dead, size')
    .option('--days <number>', 'days of signups, today included', parseWholeNumber(1, 366), 14)
    .option('--json', 'the same for programs')
    .addHelpText(
      'after',
      `
A registration counts as completed once its visitor finished it or reached the thank-you page, and as suspected
until then if the field that people do not see was filled in. Addresses that were forgotten are no longer among
subscribers and signups.`,
    )
    .action(
      context.action(async ({ days, json }: { days: number; json?: true }) => {
        const stats = await readStats(await context.connect(), days);
        if (json) context.printJson(stats);
        else context.print(describeStats(stats, Date.now()));
      }),
    );
}

/** How things stand, in numbers of one moment; days are of UTC. */
function readStats(dataSource: DataSource, days: number) {
  return dataSource.transaction('REPEATABLE READ', async (manager) => {
    const now = new Date();
    const open = { doneAt: IsNull() };
    const pending = { deliveredAt: IsNull(), deadAt: IsNull() };
    const oldest = await manager.findOne(OutboxEvent, { where: pending, order: { createdAt: 'ASC' } });
    const [{ size }] = await manager.query<[{ size: number }]>('SELECT pg_database_size(current_database()) AS size');
    return {
      subscribers: await countSubscribers(manager),
      forgotten: {
        total: (await manager.sum(ForgottenCount, 'count')) ?? 0,
        thisMonth: (await manager.sum(ForgottenCount, 'count', { month: `${dayOf(now).slice(0, 7)}-01` })) ?? 0,
      },
      emergencyNotices: await manager.count(EmergencyNotice),
      privacyRequests: {
        open: await manager.countBy(PrivacyRequest, open),
        overdue: await manager.countBy(PrivacyRequest, { ...open, dueAt: LessThan(now) }),
      },
      days: await countSignups(manager, days, now),
      events: {
        pending: await manager.countBy(OutboxEvent, pending),
        oldestPendingSince: oldest?.createdAt.toISOString() ?? null,
        delivered: await manager.countBy(OutboxEvent, { deliveredAt: Not(IsNull()) }),
        dead: await manager.countBy(OutboxEvent, { deadAt: Not(IsNull()) }),
      },
      /** On the disk, with indexes, in bytes. */
      databaseSize: size,
    };
  });
}

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);

/** The registrations of each of the last days, the oldest day first, also of those without any. */
async function countSignups(manager: EntityManager, days: number, now: Date) {
  const daysAgo = (count: number) => dayOf(new Date(now.getTime() - count * 24 * 60 * 60_000));
  const rows = await manager
    .createQueryBuilder(WaitlistEntry, 'entry')
    .select(`to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`, 'day')
    .addSelect('count(*)', 'signups')
    .addSelect(`count(*) FILTER (WHERE ${isCompleted})`, 'completed')
    .addSelect(`count(*) FILTER (WHERE NOT (${isCompleted}) AND NOT suspected)`, 'unfinished')
    .addSelect('count(*) FILTER (WHERE suspected)', 'suspected')
    .where('created_at >= :since', { since: `${daysAgo(days - 1)}T00:00:00Z` })
    .groupBy('day')
    .getRawMany<{ day: string; signups: number; completed: number; unfinished: number; suspected: number }>();
  return Array.from({ length: days }, (_, index) => {
    const day = daysAgo(days - 1 - index);
    return rows.find((row) => row.day === day) ?? { day, signups: 0, completed: 0, unfinished: 0, suspected: 0 };
  });
}

/** The longest bar, in characters. */
const barLength = 30;

/** Completed and unfinished, each as long as its share of the day with the most; a single one can be seen. */
function bar(completed: number, unfinished: number, max: number): string {
  const lengthOf = (count: number) => (count === 0 ? 0 : Math.max(1, Math.round((barLength * count) / max)));
  return '█'.repeat(lengthOf(completed)) + '░'.repeat(lengthOf(unfinished));
}

function describeDays(days: Stats['days']): readonly string[] {
  const max = Math.max(...days.map(({ signups }) => signups));
  const rows = days.map(({ day, signups, completed, unfinished, suspected }) => [
    day,
    ...[signups, completed, unfinished, suspected].map(numberOf),
    bar(completed, unfinished, max),
  ]);
  const head = ['DAY (UTC)', 'SIGNUPS', 'COMPLETED █', 'UNFINISHED ░', 'SUSPECTED', ''];
  return alignColumns([head, ...rows], [1, 2, 3, 4]);
}

function describeEvents({ pending, oldestPendingSince, delivered, dead }: Stats['events'], now: number): string {
  const oldest = oldestPendingSince ? ` (the oldest: ${ageOf(Date.parse(oldestPendingSince), now)})` : '';
  const hint = dead === 0 ? '' : ' (see: operator events list --status dead)';
  return `${numberOf(pending)} pending${oldest}; ${numberOf(delivered)} delivered; ${numberOf(dead)} dead${hint}`;
}

/** The numbers for people. */
export function describeStats(stats: Stats, now: number): readonly string[] {
  const { total, ...byStatus } = stats.subscribers;
  const statuses = Object.entries(byStatus).map(([status, count]) => `${numberOf(count)} ${status}`);
  const { forgotten, emergencyNotices, privacyRequests, days, events, databaseSize } = stats;
  return [
    ...alignColumns([
      ['Subscribers', `${numberOf(total)}: ${statuses.join(', ')}`],
      ['Forgotten', `${countOf(forgotten.total, 'address', 'addresses')}, ${numberOf(forgotten.thisMonth)} this month`],
      ['Emergency notices', numberOf(emergencyNotices)],
      [
        'Privacy requests',
        `${numberOf(privacyRequests.open)} open, ${numberOf(privacyRequests.overdue)} of them overdue`,
      ],
      ['Events', describeEvents(events, now)],
      ['Database', sizeOf(databaseSize)],
    ]),
    '',
    ...describeDays(days),
  ];
}
