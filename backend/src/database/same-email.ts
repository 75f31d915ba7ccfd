import { Raw } from 'typeorm';

/**
 * Returns SQL of what all spellings of an email have in common. Emails are compared by this alone: hardly any
 * mailbox is case-sensitive, and a capital letter must neither undo an unsubscribe nor hide data from an erasure.
 * `COLLATE "C"` maps the letters A to Z only: the result depends neither on the database's locale, where a Turkish one
 * would map I to ı, nor on a library whose update would corrupt the indexes. Other letters occur in privacy requests
 * only, and no signup has them.
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
