import { Raw } from 'typeorm';

/**
 * Returns SQL of what all spellings of an email have in common; emails are compared by this alone. `COLLATE "C"` maps
 * A to Z only, whatever the database's locale: a Turkish one would map I to ı.
 *
 * @param email an SQL expression
 */
export const mailboxOf = (email: string): string => `lower((${email}) COLLATE "C")`;

/** Returns the same of an email as `mailboxOf` does in SQL. */
export const mailboxKey = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * Returns a condition for rows of an email in any spelling.
 *
 * @param field SQL of the email in a column, if it is not the whole one
 */
export const sameEmail = (email: string, field = (column: string) => column) =>
  Raw((column) => `${mailboxOf(field(column))} = ${mailboxOf(':sameEmail')}`, { sameEmail: email });
