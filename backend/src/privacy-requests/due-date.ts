import type { PrivacyRequestKind } from '@daybook/contract';

const hourLength = 60 * 60 * 1000;
const dayLength = 24 * hourLength;

/** What the pages say of how long processing takes (docs/product.md, Constants). */
const processingTimes: Readonly<Record<PrivacyRequestKind, { time: number } | { businessDays: number }>> = {
  unsubscribe: { time: 48 * hourLength },
  'ca-unsubscribe': { time: 48 * hourLength },
  'privacy-rights-request': { time: 45 * dayLength },
  'profiling-opt-out': { businessDays: 15 },
  'targeted-opt-out': { businessDays: 15 },
  'limit-sensitive-info': { businessDays: 15 },
};

/**
 * By when a request has to be processed. Hours and days pass from the very moment that it came, whatever the clocks
 * do. Of business days, the one on which it came does not count, and the last one counts until its end in the
 * publisher's time zone.
 */
export function dueDateOf(kind: PrivacyRequestKind, receivedAt: Date): Date {
  const processing = processingTimes[kind];
  if ('time' in processing) return new Date(receivedAt.getTime() + processing.time);
  let day = dayAt(receivedAt);
  for (let counted = 0; counted < processing.businessDays; ) {
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

/** Where requests are processed (`site.postalAddress`): its calendar says which day a moment belongs to. */
const dateThere = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' });

/** The day of a moment in the publisher's time zone. */
export const dayAt = (moment: Date): CalendarDay => Date.parse(`${dateThere.format(moment)}T00:00:00Z`) / dayLength;

/** The last second of a day in the publisher's time zone: 04:59:59 UTC of the next, or 03:59:59 in summer. */
export function endOf(day: CalendarDay): Date {
  const inWinter = new Date((day + 1) * dayLength + 5 * hourLength - 1000);
  return dayAt(inWinter) === day ? inWinter : new Date(inWinter.getTime() - hourLength);
}

/** Month and day: New Year's Day, Juneteenth, Independence Day, Veterans Day, Christmas Day. */
const fixedHolidays = new Set(['01-01', '06-19', '07-04', '11-11', '12-25']);

const [monday, thursday, friday] = [1, 4, 5];

/** Month, weekday and which of them: King's and Washington's birthdays, Labor Day, Columbus Day, Thanksgiving. */
const floatingHolidays = [
  [1, monday, 3],
  [2, monday, 3],
  [9, monday, 1],
  [10, monday, 2],
  [11, thursday, 4],
] as const;

const isFixedHoliday = (day: CalendarDay) =>
  fixedHolidays.has(new Date(day * dayLength).toISOString().slice('2026-'.length, '2026-12-25'.length));

/**
 * Whether a day is neither at a weekend nor a holiday of the United States' government (5 U.S.C. 6103). Inauguration Day
 * is none of them: it is one around Washington alone.
 */
export function isBusinessDay(day: CalendarDay): boolean {
  const date = new Date(day * dayLength);
  const [month, dayOfMonth, weekday] = [date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCDay()];
  const isFloating = ([inMonth, on, which]: (typeof floatingHolidays)[number]) =>
    month === inMonth && weekday === on && Math.ceil(dayOfMonth / 7) === which;
  const isMemorialDay = month === 5 && weekday === monday && dayOfMonth > 24;
  // Of a fixed holiday at the weekend, the nearest weekday is free.
  const isObserved = (weekday === monday && isFixedHoliday(day - 1)) || (weekday === friday && isFixedHoliday(day + 1));
  const isWeekend = weekday === 0 || weekday === 6;
  return !(isWeekend || isFixedHoliday(day) || isObserved || isMemorialDay || floatingHolidays.some(isFloating));
}
