import type { PrivacyRequestKind } from '@daybook/contract';

interface ProcessingTime {
  readonly count: number;
  readonly unit: 'hours' | 'days' | 'business days';
}

/** What the pages say of how long processing takes (product document, section 9). */
const processingTimes: Readonly<Record<PrivacyRequestKind, ProcessingTime>> = {
  unsubscribe: { count: 48, unit: 'hours' },
  'ca-unsubscribe': { count: 48, unit: 'hours' },
  'privacy-rights-request': { count: 45, unit: 'days' },
  'profiling-opt-out': { count: 15, unit: 'business days' },
  'targeted-opt-out': { count: 15, unit: 'business days' },
  'limit-sensitive-info': { count: 15, unit: 'business days' },
};

const hourLength = 60 * 60 * 1000;
const dayLength = 24 * hourLength;

/**
 * By when a request has to be processed. Hours and days pass from the very moment that it came, whatever the clocks
 * do. Of business days, the one on which it came does not count, and the last one counts until its end in the
 * publisher's time zone.
 */
export function dueDateOf(kind: PrivacyRequestKind, receivedAt: Date): Date {
  const { count, unit } = processingTimes[kind];
  if (unit !== 'business days')
    return new Date(receivedAt.getTime() + count * (unit === 'days' ? dayLength : hourLength));
  let day = dayAt(receivedAt);
  for (let counted = 0; counted < count; ) {
    day += 1;
    if (isBusinessDay(day)) counted += 1;
  }
  return endOf(day);
}

/**
 * A day of the calendar, counted from 1970-01-01: a number, so that days can be added, and without a time zone, so that
 * none has 23 hours.
 */
export type CalendarDay = number;

/** @param month from 1 to 12 */
const dayOf = (year: number, month: number, day: number): CalendarDay => Date.UTC(year, month - 1, day) / dayLength;

const yearOf = (day: CalendarDay) => new Date(day * dayLength).getUTCFullYear();

/** From 0 for Sunday to 6 for Saturday. */
const weekdayOf = (day: CalendarDay) => new Date(day * dayLength).getUTCDay();

/** Where requests are processed (`site.postalAddress`): its calendar says which day a moment belongs to. */
const dateThere = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' });

/** The day of a moment in the publisher's time zone. */
export const dayAt = (moment: Date): CalendarDay => Date.parse(`${dateThere.format(moment)}T00:00:00Z`) / dayLength;

/** The last second of a day in the publisher's time zone: 04:59:59 UTC of the next, or 03:59:59 in summer. */
export function endOf(day: CalendarDay): Date {
  const inWinter = new Date((day + 1) * dayLength + 5 * hourLength - 1000);
  return dayAt(inWinter) === day ? inWinter : new Date(inWinter.getTime() - hourLength);
}

const [monday, thursday] = [1, 4];

/** @param which 1 for the first such weekday of the month */
function nth(which: number, weekday: number, month: number, year: number): CalendarDay {
  const first = dayOf(year, month, 1);
  return first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (which - 1);
}

/** Of a holiday at the weekend, the nearest weekday is free. */
function observed(day: CalendarDay): CalendarDay {
  const weekday = weekdayOf(day);
  return weekday === 6 ? day - 1 : weekday === 0 ? day + 1 : day;
}

/**
 * The holidays of the United States' government (5 U.S.C. 6103), on the days on which they are observed. Inauguration
 * Day is none of them: it is one around Washington alone.
 *
 * @param year of the holidays; New Year's Day may be observed on the last day of the year before
 */
export function federalHolidaysOf(year: number): readonly CalendarDay[] {
  return [
    observed(dayOf(year, 1, 1)),
    nth(3, monday, 1, year), // Martin Luther King Jr.'s birthday
    nth(3, monday, 2, year), // Washington's birthday
    nth(1, monday, 6, year) - 7, // Memorial Day, the last Monday of May
    observed(dayOf(year, 6, 19)), // Juneteenth
    observed(dayOf(year, 7, 4)),
    nth(1, monday, 9, year), // Labor Day
    nth(2, monday, 10, year), // Columbus Day
    observed(dayOf(year, 11, 11)), // Veterans Day
    nth(4, thursday, 11, year), // Thanksgiving
    observed(dayOf(year, 12, 25)),
  ];
}

/** Whether a day is neither at a weekend nor a federal holiday. */
export function isBusinessDay(day: CalendarDay): boolean {
  const weekday = weekdayOf(day);
  if (weekday === 0 || weekday === 6) return false;
  return ![yearOf(day), yearOf(day) + 1].some((year) => federalHolidaysOf(year).includes(day));
}
