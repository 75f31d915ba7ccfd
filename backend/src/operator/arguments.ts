import { emailOf, referenceNumberSchema } from '@daybook/contract/api';
import { InvalidArgumentError } from 'commander';
import * as z from 'zod';

// Parsers of command-line arguments for commander, which passes the text and the previous value.

function found<Value>(value: Value | undefined, message: string): Value {
  if (value !== undefined) return value;
  throw new InvalidArgumentError(message);
}

export const parseEmail = (text: string) => found(emailOf(text), 'It is not an e-mail address.');

export const parseEventIds = (text: string, previous: readonly string[] = []) => [
  ...previous,
  found(z.guid().safeParse(text.toLowerCase()).data, 'It is not an event id; the view reports.events has them.'),
];

export const parseReference = (text: string) =>
  found(
    referenceNumberSchema.safeParse(text.toUpperCase()).data,
    'It is not a reference number such as K7QM-3XTA-9VD2.',
  );
