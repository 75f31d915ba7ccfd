import { expect, test } from '@jest/globals';
import { describeStats } from './stats.ts';

test('describeStats formats the numbers as a table', () => {
  const stats = {
    subscribers: { total: 1204, completed: 900, unfinished: 298, suspected: 2, unsubscribed: 4 },
    forgotten: 3,
    privacyRequests: { open: 5, overdue: 2 },
    days: [
      { day: '2026-11-20', signups: 1000, completed: 999, unfinished: 1, suspected: 0 },
      { day: '2026-11-21', signups: 202, completed: 100, unfinished: 100, suspected: 2 },
    ],
    events: { pending: 2, oldestPendingSince: '2026-11-21T09:00:00Z', delivered: 2000, dead: 1 },
  };
  expect(describeStats(stats, Date.parse('2026-11-21T12:00:00Z'))).toEqual([
    'Subscribers           total: 1,204, completed: 900, unfinished: 298, suspected: 2, unsubscribed: 4',
    'Forgotten addresses   3',
    'Privacy requests      open: 5, overdue: 2',
    'Events                pending: 2, delivered: 2,000, dead: 1',
    'Oldest pending event  3 hours ago',
    '',
    'DAY (UTC)   SIGNUPS  COMPLETED  UNFINISHED  SUSPECTED',
    '2026-11-20    1,000        999           1          0',
    '2026-11-21      202        100         100          2',
  ]);
});
