import type { PrivacyRequestKind } from '@daybook/contract/api';
import { expect, test } from '@jest/globals';
import { dayAt, dueDateOf, isBusinessDay } from './due-date.ts';

test.each<[PrivacyRequestKind, receivedAt: string, dueAt: string]>([
  ['unsubscribe', '2026-11-21T06:07:08.009Z', '2026-11-23T06:07:08.009Z'],
  // Daylight saving time starts in between.
  ['ca-unsubscribe', '2026-03-07T12:00:00.000Z', '2026-03-09T12:00:00.000Z'],
  ['privacy-rights-request', '2026-11-21T06:07:08.009Z', '2027-01-05T06:07:08.009Z'],
  // Without a holiday; over Thanksgiving; on a Sunday; on Friday evening in Portland.
  ['profiling-opt-out', '2026-03-02T15:00:00Z', '2026-03-24T03:59:59.000Z'],
  ['targeted-opt-out', '2026-11-20T15:00:00Z', '2026-12-15T04:59:59.000Z'],
  ['limit-sensitive-info', '2026-11-22T15:00:00Z', '2026-12-15T04:59:59.000Z'],
  ['profiling-opt-out', '2026-11-21T04:30:00Z', '2026-12-15T04:59:59.000Z'],
  // Winter time begins in between.
  ['profiling-opt-out', '2026-10-22T12:00:00Z', '2026-11-14T04:59:59.000Z'],
])('a %s of %s is due at %s', (kind, receivedAt, dueAt) => {
  expect(dueDateOf(kind, new Date(receivedAt)).toISOString()).toBe(dueAt);
});

/** From the list of the Office of Personnel Management, by the year of the holiday. */
const listed: Readonly<Record<number, string>> = {
  2022: '2021-12-31 01-17 02-21 05-30 06-20 07-04 09-05 10-10 11-11 11-24 12-26',
  2026: '2026-01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25',
  2027: '2027-01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24',
};

test.each(Object.entries(listed))('the weekday holidays of %s match the federal list', (year, days) => {
  const [first = '', ...others] = days.split(' ');
  const holidays = [first, ...others.map((day) => `${year}-${day}`)];
  const [start = 0, end = 0] = [first, holidays.at(-1)].map((day) => dayAt(new Date(`${day}T12:00:00Z`)));
  const dates = Array.from({ length: end - start + 1 }, (_, index) => new Date((start + index) * 86_400_000));
  const found = dates.filter((date) => date.getUTCDay() % 6 !== 0 && !isBusinessDay(date.getTime() / 86_400_000));
  expect(found.map((date) => date.toISOString().slice(0, 10))).toEqual(holidays);
});
