import type { PrivacyRequestKind } from '@daybook/contract/api';
import { expect, test } from '@jest/globals';
import { dayAt, dueDateOf, isBusinessDay } from './due-date.ts';

test.each<[PrivacyRequestKind, receivedAt: string, dueAt: string]>([
  ['unsubscribe', '2026-11-21T06:07:08.009Z', '2026-11-23T06:07:08.009Z'],
  ['ca-unsubscribe', '2026-11-21T06:07:08.009Z', '2026-11-23T06:07:08.009Z'],
  ['limit-sensitive-info', '2026-03-02T15:00:00Z', '2026-03-24T03:59:59.000Z'],
  ['privacy-rights-request', '2026-11-21T06:07:08.009Z', '2027-01-05T06:07:08.009Z'],
  // Without a holiday; over Thanksgiving; on Friday evening in Portland.
  ['profiling-opt-out', '2026-03-02T15:00:00Z', '2026-03-24T03:59:59.000Z'],
  ['targeted-opt-out', '2026-11-20T15:00:00Z', '2026-12-15T04:59:59.000Z'],
  ['profiling-opt-out', '2026-11-21T04:30:00Z', '2026-12-15T04:59:59.000Z'],
])('a %s of %s is due at %s', (kind, receivedAt, dueAt) => {
  expect(dueDateOf(kind, new Date(receivedAt)).toISOString()).toBe(dueAt);
});

test('the weekday holidays of 2026 match the federal list', () => {
  const days = '01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25';
  const holidays = days.split(' ').map((day) => `2026-${day}`);
  const [start = 0, end = 0] = [holidays[0], holidays.at(-1)].map((day) => dayAt(new Date(`${day}T12:00:00Z`)));
  const dates = Array.from({ length: end - start + 1 }, (_, index) => new Date((start + index) * 86_400_000));
  const found = dates.filter((date) => date.getUTCDay() % 6 !== 0 && !isBusinessDay(date.getTime() / 86_400_000));
  expect(found.map((date) => date.toISOString().slice(0, 10))).toEqual(holidays);
});
