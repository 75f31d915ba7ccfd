/** A text that somebody else wrote, for a terminal: without characters that would command it. */
export const printable = (text: string): string => text.replace(/\p{Cc}|\p{Bidi_Control}/gu, '�');

/** A moment for people, to the second: `2026-11-21 08:00:00`, in UTC. */
export const momentOf = (moment: Date): string => moment.toISOString().slice(0, 19).replace('T', ' ');

const numbers = new Intl.NumberFormat('en-US');

/** A whole number for people: `1,234`. */
export const numberOf = (count: number): string => numbers.format(count);

/** A number of things: `1 subscriber`, `2 subscribers`. */
export const countOf = (count: number, thing: string, things = `${thing}s`): string =>
  `${numberOf(count)} ${count === 1 ? thing : things}`;
