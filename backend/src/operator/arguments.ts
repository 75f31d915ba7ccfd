import { emailOf, referenceNumberSchema } from '@daybook/contract/api';
import { InvalidArgumentError } from 'commander';
import * as z from 'zod';

// Parsers of command-line arguments for commander, which passes the text and the previous value.

const parse = <Value>(schema: z.core.$ZodType<Value>, text: string, message: string): Value => {
  const { success, data } = z.safeParse(schema, text);
  if (success) return data;
  throw new InvalidArgumentError(message);
};

/** Returns an email in the spelling in which it is stored. */
export function parseEmail(text: string): string {
  const email = emailOf(text);
  if (email !== undefined) return email;
  throw new InvalidArgumentError('It is not an e-mail address.');
}

/** Appends an event id to the previous ones. */
export const parseEventIds = (text: string, previous: readonly string[] = []) => [
  ...previous,
  parse(z.guid(), text.toLowerCase(), 'It is not an event id; the view reports.events has them.'),
];

export const parseReference = (text: string) =>
  parse(referenceNumberSchema, text.toUpperCase(), 'It is not a reference number such as K7QM-3XTA-9VD2.');

const nameMaxLength = 60;

/** Parses the name of an operator for the audit log. */
export function parseOperatorName(text: string): string {
  const name = text.trim();
  if (name.length <= nameMaxLength && /^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(name)) return name;
  throw new InvalidArgumentError(`It must be a name of 1 to ${nameMaxLength} characters, without control characters.`);
}
