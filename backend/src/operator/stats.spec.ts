import { expect, test } from '@jest/globals';
import { describeStats, type Stats } from './stats.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const stats: Stats = {
  subscribers: { total: 1204, completed: 900, unfinished: 298, suspected: 2, unsubscribed: 4 },
  forgotten: { total: 3, thisMonth: 1 },
  emergencyNotices: 7,
  privacyRequests: { open: 5, overdue: 2 },
  days: [
    { day: '2026-11-19', signups: 0, completed: 0, unfinished: 0, suspected: 0 },
    { day: '2026-11-20', signups: 1000, completed: 999, unfinished: 1, suspected: 0 },
    { day: '2026-11-21', signups: 202, completed: 100, unfinished: 100, suspected: 2 },
  ],
  events: { pending: 2, oldestPendingSince: '2026-11-21T09:00:00Z', delivered: 2000, dead: 1 },
  databaseSize: 12_345_678,
};

test('numbers are a table with a picture, in which also one of a thousand can be seen', () => {
  expect(describeStats(stats, now)).toEqual([
    'Subscribers        1,204: 900 completed, 298 unfinished, 2 suspected, 4 unsubscribed',
    'Forgotten          3 addresses, 1 this month',
    'Emergency notices  7',
    'Privacy requests   5 open, 2 of them overdue',
    'Events             2 pending (the oldest: 3 hours ago); 2,000 delivered; 1 dead (see: operator events list --status dead)',
    'Database           12.3 MB',
    '',
    'DAY (UTC)   SIGNUPS  COMPLETED █  UNFINISHED ░  SUSPECTED',
    '2026-11-19        0            0             0          0',
    `2026-11-20    1,000          999             1          0  ${'█'.repeat(30)}░`,
    '2026-11-21      202          100           100          2  ███░░░',
  ]);
});

test('a site without a signup has its numbers, too', () => {
  const days = stats.days.slice(0, 1);
  expect(describeStats({ ...stats, days }, now).at(-1)).toBe(
    '2026-11-19        0            0             0          0',
  );
});
