/**
 * Sets rows in columns that line up.
 *
 * @param rightAligned the columns of numbers, counted from 0
 */
export function alignColumns(
  rows: readonly (readonly string[])[],
  rightAligned: readonly number[] = [],
): readonly string[] {
  const widths = rows.reduce<number[]>((found, row) => {
    for (const [index, cell] of row.entries()) found[index] = Math.max(found[index] ?? 0, cell.length);
    return found;
  }, []);
  const set = (cell: string, index: number) =>
    rightAligned.includes(index) ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0);
  return rows.map((row) => row.map(set).join('  ').trimEnd());
}
