import type { PrivacyRequestKind } from '@daybook/contract/api';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { dayAt, dueDateOf, endOf, isBusinessDay } from './due-date.ts';

const due = (kind: PrivacyRequestKind, receivedAt: string) => dueDateOf(kind, new Date(receivedAt)).toISOString();

describe('a privacy request is due', () => {
  test.each(['unsubscribe', 'ca-unsubscribe'] as const)('48 hours later, to the ms: %s', (kind) => {
    expect(due(kind, '2026-11-21T06:07:08.009Z')).toBe('2026-11-23T06:07:08.009Z');
    // Daylight saving time starts in between.
    expect(due(kind, '2026-03-07T12:00:00.000Z')).toBe('2026-03-09T12:00:00.000Z');
  });

  test('45 days of 24 hours later', () => {
    expect(due('privacy-rights-request', '2026-11-21T06:07:08.009Z')).toBe('2027-01-05T06:07:08.009Z');
    expect(due('privacy-rights-request', '2028-02-01T00:00:00.000Z')).toBe('2028-03-17T00:00:00.000Z');
  });

  test.each([
    ['three weeks later without a holiday', '2026-03-02T15:00:00Z', '2026-03-24T03:59:59.000Z'],
    ['a day later for Thanksgiving', '2026-11-20T15:00:00Z', '2026-12-15T04:59:59.000Z'],
    ['as if it came on Friday, when it comes on Sunday', '2026-11-22T15:00:00Z', '2026-12-15T04:59:59.000Z'],
    ['for Friday evening in Portland, where London has Saturday', '2026-11-21T04:30:00Z', '2026-12-15T04:59:59.000Z'],
    ['over Christmas, New Year and Dr. King’s birthday', '2026-12-24T20:00:00Z', '2027-01-20T04:59:59.000Z'],
    ['over an observed New Year’s Day in the old year', '2027-12-23T20:00:00Z', '2028-01-19T04:59:59.000Z'],
    ['over Juneteenth and an observed Fourth of July', '2026-06-18T12:00:00Z', '2026-07-14T03:59:59.000Z'],
    ['in winter time for a request of summer time', '2026-10-22T12:00:00Z', '2026-11-14T04:59:59.000Z'],
  ])('15 business days later: %s', (_what, receivedAt, dueAt) => {
    for (const kind of ['profiling-opt-out', 'targeted-opt-out', 'limit-sensitive-info'] as const) {
      expect(due(kind, receivedAt)).toBe(dueAt);
    }
  });
});

describe('at random moments of a century', () => {
  const moment = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });

  test('15 business days end with the last second of a business day, the fifteenth after the request', () => {
    fc.assert(
      fc.property(moment, (receivedAt) => {
        const dueAt = dueDateOf('profiling-opt-out', receivedAt);
        const [first, last] = [dayAt(receivedAt), dayAt(dueAt)];
        const between = Array.from({ length: last - first }, (_, index) => first + 1 + index);
        expect(between.filter(isBusinessDay)).toHaveLength(15);
        expect(isBusinessDay(last)).toBe(true);
        expect(dayAt(new Date(dueAt.getTime() + 1000))).toBe(last + 1);
      }),
    );
  });

  test('a moment is between the end of the day before and the end of its day', () => {
    fc.assert(
      fc.property(moment, (at) => {
        const day = dayAt(at);
        expect(endOf(day).getTime() + 1000).toBeGreaterThan(at.getTime());
        expect(endOf(day - 1).getTime() + 1000).toBeLessThanOrEqual(at.getTime());
      }),
    );
  });
});

const written = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
const read = (text: string) => Date.parse(text) / 86_400_000;

/** From the list of the Office of Personnel Management, by the year of the holiday. */
const listed: Readonly<Record<number, string>> = {
  2022: '2021-12-31 01-17 02-21 05-30 06-20 07-04 09-05 10-10 11-11 11-24 12-26',
  2025: '2025-01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25',
  2026: '2026-01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25',
  2027: '2027-01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24',
  2028: '2027-12-31 01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-10 11-23 12-25',
};

test.each(Object.entries(listed))('the weekday holidays of %s match the federal list', (year, days) => {
  const [first = '', ...others] = days.split(' ');
  const holidays = [first, ...others.map((day) => `${year}-${day}`)];
  const [start, end] = [read(first), read(holidays.at(-1) ?? '')];
  const allDays = Array.from({ length: end - start + 1 }, (_, index) => start + index);
  const isWeekend = (day: number) => [0, 6].includes(new Date(day * 86_400_000).getUTCDay());
  expect(allDays.filter((day) => !isWeekend(day) && !isBusinessDay(day)).map(written)).toEqual(holidays);
});
