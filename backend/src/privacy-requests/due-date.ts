import type { PrivacyRequestKind } from '@daybook/contract/api';

const hourLength = 60 * 60 * 1000;
export const dayLength = 24 * hourLength;

const processingTimes: Readonly<Record<PrivacyRequestKind, { time: number } | { businessDays: number }>> = {
  unsubscribe: { time: 48 * hourLength },
  'ca-unsubscribe': { time: 48 * hourLength },
  'privacy-rights-request': { time: 45 * dayLength },
  'profiling-opt-out': { businessDays: 15 },
  'targeted-opt-out': { businessDays: 15 },
  'limit-sensitive-info': { businessDays: 15 },
};

/**
 * Returns the due date of a request. Hours and days are elapsed time. Business days start on the day after the receipt,
 * and the last one ends at midnight in the publisher's time zone.
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

/** A calendar day, counted from 1970-01-01: without a time zone, none has 23 hours. */
type CalendarDay = number;

/** Formats a date in the publisher's time zone. */
const publisherDate = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' });

export const dayAt = (moment: Date): CalendarDay => Date.parse(`${publisherDate.format(moment)}T00:00:00Z`) / dayLength;

/** Returns the last second of a day in the publisher's time zone: 04:59:59 UTC of the next day, 03:59:59 in summer. */
function endOf(day: CalendarDay): Date {
  const inWinter = new Date((day + 1) * dayLength + 5 * hourLength - 1000);
  return dayAt(inWinter) === day ? inWinter : new Date(inWinter.getTime() - hourLength);
}

/** Month and day: New Year's Day, Juneteenth, Independence Day, Veterans Day, Christmas Day. */
const fixedHolidays = new Set(['01-01', '06-19', '07-04', '11-11', '12-25']);

const [monday, thursday, friday] = [1, 4, 5];

/** Month, weekday and its number in the month: King's and Washington's birthdays, Labor, Columbus, Thanksgiving Day. */
const floatingHolidays = [
  [1, monday, 3],
  [2, monday, 3],
  [9, monday, 1],
  [10, monday, 2],
  [11, thursday, 4],
] as const;

const isFixedHoliday = (day: CalendarDay) =>
  fixedHolidays.has(new Date(day * dayLength).toISOString().slice('2026-'.length, '2026-12-25'.length));

/** Returns whether a day is neither on a weekend nor a US federal holiday (5 U.S.C. 6103). */
export function isBusinessDay(day: CalendarDay): boolean {
  const date = new Date(day * dayLength);
  const [month, dayOfMonth, weekday] = [date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCDay()];
  const isFloating = ([inMonth, on, which]: (typeof floatingHolidays)[number]) =>
    month === inMonth && weekday === on && Math.ceil(dayOfMonth / 7) === which;
  const isMemorialDay = month === 5 && weekday === monday && dayOfMonth > 24;
  // A fixed holiday on a weekend is observed on the nearest weekday.
  const isObserved = (weekday === monday && isFixedHoliday(day - 1)) || (weekday === friday && isFixedHoliday(day + 1));
  const isWeekend = weekday === 0 || weekday === 6;
  return !(isWeekend || isFixedHoliday(day) || isObserved || isMemorialDay || floatingHolidays.some(isFloating));
}
