import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { markdownTable } from 'markdown-table';
import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { type Comparison, summarize } from './comparison.ts';

/** Result of a part of the benchmark. */
export interface Report {
  /** One table each; the last one also as a picture. */
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
          const ratio = summary?.ratio ? ` (${summary.ratio.median.toFixed(2)})` : '';
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

/** Draws ratios as SVG: bars from medians, lines from the lowest to the highest round, a rule at 1. */
async function ratioPicture({ title, contestants, baseline = '', figures, cases }: Comparison): Promise<string> {
  const values = figures.flatMap((figure) =>
    Object.entries(cases).flatMap(([name, rounds]) =>
      contestants.flatMap((contestant) => {
        const { ratio } = summarize(rounds, contestant, { baseline, ...figure }) ?? {};
        const facet = `${figure.title} ÷ ${figure.baseline ?? baseline}`;
        return ratio ? { facet, case: name, contestant, ...ratio } : [];
      }),
    ),
  );
  const quantitative = { type: 'quantitative', title: null } as const;
  const order = { field: 'contestant', type: 'nominal', sort: [...contestants] } as const;
  const position = { y: { field: 'case', sort: null, title: null }, yOffset: order };
  const color = { ...order, title: null, legend: { orient: 'bottom', labelLimit: 0 } } as const;
  const specification: TopLevelSpec = {
    title: { text: title, anchor: 'start' },
    background: 'white',
    padding: 12,
    data: { values },
    facet: { field: 'facet', sort: [...new Set(values.map(({ facet }) => facet))], title: null },
    columns: 2,
    spec: {
      width: 280,
      height: { step: 14 },
      layer: [
        { mark: 'bar', encoding: { x: { field: 'median', ...quantitative }, ...position, color } },
        { mark: 'rule', encoding: { x: { field: 'lowest', ...quantitative }, x2: { field: 'highest' }, ...position } },
        { mark: { type: 'rule', strokeDash: [4, 3] }, encoding: { x: { datum: 1 } } },
      ],
    },
    resolve: { scale: { x: 'independent' } },
  };
  return new View(parse(compile(specification).spec), { renderer: 'none' }).toSVG();
}

const marks = ['<!-- results -->', '<!-- end of results -->'] as const;

/** Replaces the tables between the marks in `<name>.md`, and writes the picture to `<name>.svg`. */
export async function writeReport(folder: string, name: string, report: Report): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.versions.node}`;
  const lines = [`Measured on ${new Date().toISOString().slice(0, 10)}: ${machine}.`, reportText(report)];
  const drawn = report.comparisons.at(-1);
  if (drawn?.contestants[1] || drawn?.figures[0]?.baseline) {
    writeFileSync(path.join(folder, `${name}.svg`), await ratioPicture(drawn));
    lines.push(`![${drawn.title}, as ratios](${name}.svg)`);
  }
  const file = path.join(folder, `${name}.md`);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const [before = '', after = '\n'] = text.split(new RegExp(`${marks[0]}.*${marks[1]}`, 's'));
  writeFileSync(file, before + [marks[0], ...lines, marks[1]].join('\n\n') + after);
}
