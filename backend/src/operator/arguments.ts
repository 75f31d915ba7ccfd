import { privacyAddressSchema, referenceNumberSchema } from '@daybook/contract';
import { InvalidArgumentError } from 'commander';
import * as z from 'zod';

// Parsers of what is written on the command line, as commander calls them: with the text, and the value before.

const hourLength = 60 * 60_000;
export const dayLength = 24 * hourLength;

const momentSchema = z.union([
  z.iso.date(),
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

export const parseWholeNumber = (min: number, max: number) => (text: string) => {
  if (/^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
};

const parse = <Value>(schema: z.core.$ZodType<Value>, text: string, message: string): Value => {
  const { success, data } = z.safeParse(schema, text);
  if (success) return data;
  throw new InvalidArgumentError(message);
};

/** An address in the spelling under which it is stored. Privacy requests are taken from addresses that no signup is. */
export const parseAddress = (text: string) => parse(privacyAddressSchema, text, 'It is no e-mail address.');

/** Adds the id of an event to those before it. */
export const parseEventIds = (text: string, previous: readonly string[] = []) => [
  ...previous,
  parse(z.guid(), text.toLowerCase(), 'It is no id of an event; operator events list shows them.'),
];

export const parseReference = (text: string) =>
  parse(referenceNumberSchema, text.toUpperCase(), 'It is no reference number, such as K7QM-3XTA-9VD2.');
