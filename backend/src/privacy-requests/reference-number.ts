import { randomInt } from 'node:crypto';

/** Crockford's base 32: no I, L, O and U, which are misread, misheard or make words. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const groupCount = 3;
const groupLength = 4;

/**
 * A new reference number, such as `K7QM-3XTA-9VD2`: short enough to be read out on the telephone. Its 60 random bits
 * tell neither how many requests there were nor any other number; among a million, one in a million million is taken.
 */
export function newReferenceNumber(): string {
  const group = () => Array.from({ length: groupLength }, () => digits[randomInt(digits.length)]).join('');
  return Array.from({ length: groupCount }, group).join('-');
}
