import { privacyAddressSchema } from '@daybook/contract';
import { UsageError } from './errors.ts';

/** Milliseconds of the units in which ages are given. */
const units = { d: 24 * 60 * 60_000, h: 60 * 60_000 } as const;

const age = /^(?<count>\d{1,4})(?<unit>[dh])$/;
const date = /^\d{4}-\d{2}-\d{2}$/;
const time = /^(?<day>\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Dates that JavaScript would move to another month, such as February 30, are none. */
const isDay = (day: string) => {
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
};

/**
 * Reads a moment in the past: a day of UTC, a time, or an age.
 *
 * @param option the option that it was given for
 * @throws UsageError
 */
export function readMoment(text: string, option: string, now = new Date()): Date {
  const { count, unit } = age.exec(text)?.groups ?? {};
  if (count && unit) return new Date(now.getTime() - Number(count) * units[unit as keyof typeof units]);
  const day = date.test(text) ? text : time.exec(text)?.groups?.day;
  const moment = new Date(text);
  if (day && isDay(day) && !Number.isNaN(moment.getTime())) return moment;
  throw new UsageError(
    `${option} must be a day such as 2026-11-21, a time such as 2026-11-21T08:00:00Z, or an age such as 7d or 12h, not “${text}”.`,
  );
}

/**
 * Reads until when something is due.
 *
 * @returns the end of the day of UTC that was named, today among them, or of so many times 24 hours from now
 * @throws UsageError
 */
export function readDue(text: string, option: string, now = new Date()): Date {
  if (/^\d{1,4}$/.test(text)) return new Date(now.getTime() + Number(text) * units.d);
  const day = text === 'today' ? now.toISOString().slice(0, 10) : text;
  if (date.test(day) && isDay(day)) return new Date(Date.parse(`${day}T00:00:00Z`) + units.d);
  throw new UsageError(`${option} must be a day such as 2026-12-01, or a number of days such as 7, not “${text}”.`);
}

/** @throws UsageError */
export function readWholeNumber(text: string, option: string, lowest: number, highest: number): number {
  const number = Number(text);
  if (/^\d{1,9}$/.test(text) && number >= lowest && number <= highest) return number;
  throw new UsageError(`${option} must be a whole number from ${lowest} to ${highest}, not “${text}”.`);
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

/** @throws UsageError */
export function readChoice<Choice extends string>(text: string, option: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((each) => each === text);
  if (choice !== undefined) return choice;
  throw new UsageError(`${option} must be ${alternatives.format(choices)}, not “${text}”.`);
}

/**
 * An address in the spelling under which it is stored. Privacy requests are taken from addresses that no signup is.
 *
 * @throws UsageError
 */
export function readAddress(text: string): string {
  const result = privacyAddressSchema.safeParse(text);
  if (result.success) return result.data;
  throw new UsageError(`“${text}” is no e-mail address.`);
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The id of an event. @throws UsageError */
export function readEventId(text: string): string {
  if (uuid.test(text)) return text.toLowerCase();
  throw new UsageError(`“${text}” is no id of an event; operator events list shows them.`);
}
