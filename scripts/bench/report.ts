import { markdownTable } from 'markdown-table';
import { type Comparison, summarize } from './comparison.ts';

export interface Report {
  /** One table each. */
  readonly comparisons: readonly Comparison[];
  /** The method of measurement, in a sentence. */
  readonly note: string;
}

/** Formats a comparison as a Markdown table: medians, and in brackets the ratio to the baseline. */
function comparisonTable({ title, contestants, baseline = '', figures, cases }: Comparison): string {
  const rows = Object.entries(cases).flatMap(([name, rounds]) =>
    contestants
      .filter((contestant) => rounds.some((round) => round[contestant]))
      .map((contestant) => {
        const cells = figures.map((figure) => {
          const summary = summarize(rounds, contestant, { baseline, ...figure });
          const ratio = summary?.ratio ? ` (${summary.ratio.toFixed(2)})` : '';
          return summary ? summary.value.toFixed(figure.digits) + ratio : '–';
        });
        return [name, contestant, ...cells];
      }),
  );
  const align = ['l', 'l', ...figures.map(() => 'r')];
  return markdownTable([[title, '', ...figures.map((figure) => figure.title)], ...rows], { align });
}

export const reportText = ({ comparisons, note }: Report): string =>
  [...comparisons.map(comparisonTable), note].join('\n\n');
