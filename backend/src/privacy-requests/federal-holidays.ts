import { type CalendarDay, dayOf, weekdayOf, yearOf } from './calendar-day.ts';

const [monday, thursday] = [1, 4];

/** @param which 1 for the first such weekday of the month */
function nth(which: number, weekday: number, month: number, year: number): CalendarDay {
  const first = dayOf(year, month, 1);
  return first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (which - 1);
}

const last = (weekday: number, month: number, year: number): CalendarDay => {
  const end = dayOf(year, month + 1, 1) - 1;
  return end - ((weekdayOf(end) - weekday + 7) % 7);
};

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
    last(monday, 5, year), // Memorial Day
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
