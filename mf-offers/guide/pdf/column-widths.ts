/**
 * Shares out a table's width: a column that needs less than its fair share gets what it needs, the others share
 * the rest by their need.
 *
 * @param natural each column's width on one line, in points
 */
export function columnWidths(natural: readonly number[], available: number): readonly number[] {
  const total = natural.reduce((sum, width) => sum + width, 0);
  if (total <= available) {
    const widest = natural.indexOf(Math.max(...natural));
    return natural.map((width, column) => (column === widest ? width + available - total : width));
  }
  const share = available / natural.length;
  const fits = natural.map((width) => width <= share);
  const taken = natural.reduce((sum, width, column) => sum + (fits[column] ? width : 0), 0);
  // Square roots: a column with one long cell does not starve the others.
  const need = natural.reduce((sum, width, column) => sum + (fits[column] ? 0 : Math.sqrt(width)), 0);
  return natural.map((width, column) => (fits[column] ? width : ((available - taken) * Math.sqrt(width)) / need));
}
