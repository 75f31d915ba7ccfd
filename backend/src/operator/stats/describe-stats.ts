import { ageOf, alignColumns, sizeOf } from '@daybook/server';
import { countOf, numberOf } from '../output/printable.ts';
import type { Stats } from './read-stats.ts';

/** The longest bar, in characters. */
const barLength = 30;

/** Completed and unfinished, each as long as its share of the day with the most; what there is can be seen. */
function bar(completed: number, unfinished: number, most: number): string {
  const lengthOf = (count: number) => (count === 0 ? 0 : Math.max(1, Math.round((barLength * count) / most)));
  return '█'.repeat(lengthOf(completed)) + '░'.repeat(lengthOf(unfinished));
}

function describeDays(days: Stats['days']): readonly string[] {
  const most = Math.max(...days.map(({ signups }) => signups));
  const rows = days.map(({ day, signups, completed, unfinished, suspected }) => [
    day,
    numberOf(signups),
    numberOf(completed),
    numberOf(unfinished),
    numberOf(suspected),
    bar(completed, unfinished, most),
  ]);
  return alignColumns(
    [['DAY (UTC)', 'SIGNUPS', 'COMPLETED █', 'UNFINISHED ░', 'SUSPECTED', ''], ...rows],
    [1, 2, 3, 4],
  );
}

function describeEvents({ pending, oldestPendingSince, delivered, dead }: Stats['events'], now: number): string {
  const oldest = oldestPendingSince ? ` (the oldest: ${ageOf(new Date(oldestPendingSince).getTime(), now)})` : '';
  const hint = dead === 0 ? '' : ' (see: operator events list --status dead)';
  return `${numberOf(pending)} pending${oldest}; ${numberOf(delivered)} delivered; ${numberOf(dead)} dead${hint}`;
}

const describeSubscribers = ({ total, completed, unfinished, suspected, unsubscribed }: Stats['subscribers']) =>
  `${numberOf(total)}: ${numberOf(completed)} completed, ${numberOf(unfinished)} unfinished, ${numberOf(suspected)} suspected, ${numberOf(unsubscribed)} unsubscribed`;

/** How things stand, for people. */
export function describeStats(stats: Stats, now: number): readonly string[] {
  const { forgotten, emergencyNotices, privacyRequests, days, events, databaseSize } = stats;
  return [
    ...alignColumns([
      ['Subscribers', describeSubscribers(stats.subscribers)],
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
