/**
 * A day of the calendar, counted from 1970-01-01: a number, so that days can be added, and without a time zone, so that
 * none has 23 hours.
 */
export type CalendarDay = number;

const dayLength = 24 * 60 * 60 * 1000;

/** @param month from 1 to 12 */
export const dayOf = (year: number, month: number, day: number): CalendarDay =>
  Date.UTC(year, month - 1, day) / dayLength;

export const yearOf = (day: CalendarDay): number => new Date(day * dayLength).getUTCFullYear();

/** From 0 for Sunday to 6 for Saturday. */
export const weekdayOf = (day: CalendarDay): number => new Date(day * dayLength).getUTCDay();

/** Where requests are processed (`site.postalAddress`): its calendar says which day a moment belongs to. */
const dateThere = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' });

/** The day of a moment in the publisher's time zone. */
export const dayAt = (moment: Date): CalendarDay => Date.parse(`${dateThere.format(moment)}T00:00:00Z`) / dayLength;

/** The last second of a day in the publisher's time zone: 04:59:59 UTC of the next, or 03:59:59 in summer. */
export function endOf(day: CalendarDay): Date {
  const inWinter = new Date((day + 1) * dayLength + 5 * 60 * 60 * 1000 - 1000);
  return dayAt(inWinter) === day ? inWinter : new Date(inWinter.getTime() - 60 * 60 * 1000);
}
