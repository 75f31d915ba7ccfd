import { privacyAddressSchema, referenceNumberSchema } from '@daybook/contract';
import { InvalidArgumentError } from 'commander';
import * as z from 'zod';

// Parsers of what is written on the command line, as commander calls them: with the text, and the value before.

const hourLength = 60 * 60_000;
const dayLength = 24 * hourLength;

const daySchema = z.iso.date();
const momentSchema = z.union([
  daySchema,
  z.iso.datetime({ offset: true }),
  // To the minute, which the one above does not take.
  z.iso.datetime({ offset: true, precision: -1 }),
]);

/** A moment in the past: a day of UTC, a time, or an age. */
export function parseMoment(text: string, _previous?: unknown, now = new Date()): Date {
  const [, count, unit] = /^(\d{1,4})([dh])$/.exec(text) ?? [];
  if (count) return new Date(now.getTime() - Number(count) * (unit === 'd' ? dayLength : hourLength));
  if (momentSchema.safeParse(text).success) return new Date(text);
  throw new InvalidArgumentError(
    'It must be a day such as 2026-11-21, a time such as 2026-11-21T08:00:00Z, or an age such as 7d or 12h.',
  );
}

/** Until when something is due: the end of a day of UTC, or so many times 24 hours from now. */
export function parseDue(text: string, _previous?: unknown, now = new Date()): Date {
  if (/^\d{1,4}$/.test(text)) return new Date(now.getTime() + Number(text) * dayLength);
  const day = text === 'today' ? now.toISOString().slice(0, 10) : text;
  if (daySchema.safeParse(day).success) return new Date(Date.parse(day) + dayLength);
  throw new InvalidArgumentError('It must be a day such as 2026-12-01, or a number of days such as 7.');
}

export const parseWholeNumber = (min: number, max: number) => (text: string) => {
  if (/^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
};

/** An address in the spelling under which it is stored. Privacy requests are taken from addresses that no signup is. */
export function parseAddress(text: string): string {
  const result = privacyAddressSchema.safeParse(text);
  if (result.success) return result.data;
  throw new InvalidArgumentError('It is no e-mail address.');
}

/** Adds the id of an event to those before it. */
export function parseEventIds(text: string, previous: readonly string[] = []): readonly string[] {
  if (!z.guid().safeParse(text).success)
    throw new InvalidArgumentError('It is no id of an event; operator events list shows them.');
  return [...previous.filter((id) => id !== text.toLowerCase()), text.toLowerCase()];
}

export function parseReference(text: string): string {
  const result = referenceNumberSchema.safeParse(text.toUpperCase());
  if (result.success) return result.data;
  throw new InvalidArgumentError('It is no reference number, such as K7QM-3XTA-9VD2.');
}
