import { type Comparison, type Figure, summarise } from '../comparison.ts';

/** Rows as a Markdown table whose columns are aligned; the first `texts` columns hold words, the others numbers. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[], texts: number): string {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) => {
    const width = widths[column] ?? 0;
    return column < texts ? cell.padEnd(width) : cell.padStart(width);
  };
  const line = (cells: readonly string[]) => `| ${cells.map(pad).join(' | ')} |`;
  const rule = widths.map((width, column) => (column < texts ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(header), line(rule), ...rows.map(line)].join('\n');
}

/**
 * A comparison as a table: medians, and behind each the ratio to the baseline.
 *
 * @param shown the contestants that have a row; all where left out
 */
export function comparisonTable(
  { contestants, baseline: usual, figures, cases }: Comparison,
  shown: readonly string[] = contestants,
): string {
  const cell = (figure: Figure, rounds: Comparison['cases'][number]['rounds'], contestant: string) => {
    const { key, digits, baseline = usual } = figure;
    const summary = summarise(rounds, contestant, key, baseline);
    if (!summary) return '–';
    const value = summary.value.toFixed(digits);
    return contestant === baseline || !summary.ratios ? value : `${value} (${summary.ratios.ratio.toFixed(2)})`;
  };
  const rows = cases.flatMap(({ name, rounds }) =>
    shown.map((contestant) => [name, contestant, ...figures.map((figure) => cell(figure, rounds, contestant))]),
  );
  return markdownTable(['', '', ...figures.map(({ title }) => title)], rows, 2);
}
