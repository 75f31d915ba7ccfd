import { emailAddressMaxLength, normalizeEmailAddress, referenceNumberSchema } from '@daybook/contract/api';
import { operatorNameMaxLength, operatorNamePattern } from '@daybook/server';
import { InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';

// Parsers of command-line arguments for commander, which passes the text and the previous value.

const hourLength = 60 * 60_000;
export const dayLength = 24 * hourLength;

const momentSchema = z.union([
  z.iso.date(),
  z.iso.datetime({ offset: true }),
  // Without seconds, which the schema above rejects.
  z.iso.datetime({ offset: true, precision: -1 }),
]);

/** Parses a moment in the past: a day in UTC, a time, or an age. */
export function parseMoment(text: string): Date {
  const [, count, unit] = /^(\d{1,4})([dh])$/.exec(text) ?? [];
  if (count) return new Date(Date.now() - Number(count) * (unit === 'd' ? dayLength : hourLength));
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

/**
 * Normalizes an address like the API. Accepts more than signups and privacy requests: any address that an earlier version
 * stored must be shown, exported and forgotten.
 */
export function parseAddress(text: string): string {
  const address = normalizeEmailAddress(text);
  // Longer ones are stored nowhere.
  if (address.length <= emailAddressMaxLength && /^[^\s@]+@[^\s@]+$/.test(address)) return address;
  throw new InvalidArgumentError('It is not an e-mail address.');
}

/** Appends an event id to the previous ones. */
export const parseEventIds = (text: string, previous: readonly string[] = []) => [
  ...previous,
  parse(z.guid(), text.toLowerCase(), 'It is not an event id; operator events list shows them.'),
];

export const parseReference = (text: string) =>
  parse(referenceNumberSchema, text.toUpperCase(), 'It is not a reference number such as K7QM-3XTA-9VD2.');

/** Parses the name of an operator for the audit log. */
export function parseOperatorName(text: string): string {
  const name = text.trim();
  if (name.length <= operatorNameMaxLength && operatorNamePattern.test(name)) return name;
  throw new InvalidArgumentError(
    `It must be a name of 1 to ${operatorNameMaxLength} characters, without control characters.`,
  );
}

/** Returns the option of all commands that the audit log records. */
export const byOption = () =>
  new Option('--by <name>', 'your name, for the audit log; default: OPERATOR, or your user name').argParser(
    parseOperatorName,
  );
