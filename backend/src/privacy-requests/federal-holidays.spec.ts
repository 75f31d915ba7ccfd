import { describe, expect, test } from '@jest/globals';
import { dayAt, dayOf, endOf } from './calendar-day.ts';
import { federalHolidaysOf, isBusinessDay } from './federal-holidays.ts';

const written = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
const read = (text: string) => {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return dayOf(year, month, day);
};

/** As the Office of Personnel Management lists them, by the year of the holiday. */
const listed: Readonly<Record<number, string>> = {
  2021: '2021-01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24',
  2022: '2021-12-31 01-17 02-21 05-30 06-20 07-04 09-05 10-10 11-11 11-24 12-26',
  2023: '2023-01-02 01-16 02-20 05-29 06-19 07-04 09-04 10-09 11-10 11-23 12-25',
  2025: '2025-01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25',
  2026: '2026-01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25',
  2027: '2027-01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24',
  2028: '2027-12-31 01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-10 11-23 12-25',
  2029: '2029-01-01 01-15 02-19 05-28 06-19 07-04 09-03 10-08 11-12 11-22 12-25',
  2030: '2030-01-01 01-21 02-18 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25',
};

describe('federal holidays', () => {
  test.each(Object.entries(listed))('of %s are observed on the days that the government lists', (year, days) => {
    const [first, ...others] = days.split(' ');
    expect(federalHolidaysOf(Number(year)).map(written)).toEqual([first, ...others.map((day) => `${year}-${day}`)]);
  });
});

describe('a business day', () => {
  test.each([
    ['2026-11-20', true, 'a Friday'],
    ['2026-11-21', false, 'a Saturday'],
    ['2026-11-22', false, 'a Sunday'],
    ['2026-07-03', false, 'the Friday on which the Fourth of July is observed'],
    ['2027-12-31', false, 'the last day of a year, free for the next New Year’s Day'],
    ['2023-01-02', false, 'the Monday after a New Year’s Day at the weekend'],
    ['2026-06-19', false, 'Juneteenth'],
    ['2026-11-27', true, 'the Friday after Thanksgiving, which is free in some states only'],
    ['2033-01-20', true, 'Inauguration Day, which is free around Washington only'],
  ])('%s: %p, as %s', (text, isOne) => {
    expect(isBusinessDay(read(text))).toBe(isOne);
  });
});

describe('a day in the publisher’s time zone', () => {
  test.each([
    ['2026-01-15T04:59:59.999Z', '2026-01-14'],
    ['2026-01-15T05:00:00.000Z', '2026-01-15'],
    ['2026-07-15T03:59:59.999Z', '2026-07-14'],
    ['2026-07-15T04:00:00.000Z', '2026-07-15'],
  ])('at %s is %s', (moment, day) => {
    expect(written(dayAt(new Date(moment)))).toBe(day);
  });

  test.each([
    ['2026-01-15', '2026-01-16T04:59:59.000Z'],
    ['2026-07-15', '2026-07-16T03:59:59.000Z'],
    ['2026-03-07', '2026-03-08T04:59:59.000Z'],
    ['2026-03-08', '2026-03-09T03:59:59.000Z'],
    ['2026-10-31', '2026-11-01T03:59:59.000Z'],
    ['2026-11-01', '2026-11-02T04:59:59.000Z'],
  ])('%s ends at %s', (day, moment) => {
    expect(endOf(read(day)).toISOString()).toBe(moment);
  });
});
