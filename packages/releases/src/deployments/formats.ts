import { printableLine } from '@daybook/server';

// Ages, times, sizes and tables, for the command line and the operator's page.

const units = [
  ['day', 24 * 60 * 60_000],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
] as const;

const ages = new Intl.RelativeTimeFormat('en');

/** Returns the age of a moment in words: `3 minutes ago`. Both in ms since the epoch. */
export function ageOf(moment: number, now = Date.now()): string {
  const age = now - moment;
  const [unit, length] = units.find(([, each]) => age >= each) ?? [];
  return unit ? ages.format(-Math.floor(age / length), unit) : 'just now';
}

/** Formats a moment in UTC, to the second: `2026-11-21 08:00:00`. */
export const momentOf = (moment: Date): string => moment.toISOString().slice(0, 19).replace('T', ' ');

/**
 * Aligns rows in columns. Each row becomes one printable line, whatever its cells contain.
 *
 * @param rightAligned indexes of the columns of numbers
 */
export function alignColumns(
  rows: readonly (readonly string[])[],
  rightAligned: readonly number[] = [],
): readonly string[] {
  const cells = rows.map((row) => row.map(printableLine));
  const widths = cells.reduce<number[]>((found, row) => {
    for (const [index, cell] of row.entries()) found[index] = Math.max(found[index] ?? 0, cell.length);
    return found;
  }, []);
  const set = (cell: string, index: number) =>
    rightAligned.includes(index) ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0);
  return cells.map((row) => row.map(set).join('  ').trimEnd());
}

/** Returns a size in words: `412 kB`, `1.3 MB`. */
export function sizeOf(bytes: number): string {
  if (bytes >= 1_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return bytes >= 1_000 ? `${Math.round(bytes / 1_000)} kB` : `${bytes} bytes`;
}
