import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { markdownTable } from 'markdown-table';
import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { type Comparison, summarize } from './comparison.ts';

/** What a part of the benchmark has measured. */
export interface Report {
  readonly comparisons: readonly Comparison[];
  /** Its ratios are drawn. */
  readonly picture?: Comparison;
  /** How it was measured, in a sentence. */
  readonly note: string;
}

/** A comparison as a Markdown table: medians, and in brackets the ratio to the baseline. */
function comparisonTable({ title, contestants, baseline, figures, cases }: Comparison): string {
  const rows = cases.flatMap(({ name, rounds }) =>
    contestants
      .filter((contestant) => rounds.some((round) => round[contestant]))
      .map((contestant) => [
        name,
        contestant,
        ...figures.map((figure) => {
          const summary = summarize(rounds, contestant, { ...(baseline && { baseline }), ...figure });
          const ratio = summary?.ratio ? ` (${summary.ratio.median.toFixed(2)})` : '';
          return summary ? summary.value.toFixed(figure.digits) + ratio : '–';
        }),
      ]),
  );
  const align = ['l', 'l', ...figures.map(() => 'r')];
  return markdownTable([[title, '', ...figures.map((figure) => figure.title)], ...rows], { align });
}

/** The tables of a report, and how they came about. */
export const reportText = ({ comparisons, note }: Report): string =>
  [...comparisons.map(comparisonTable), note].join('\n\n');

/** Draws a comparison's ratios: bars from medians, lines from the lowest to the highest round, a rule at 1. */
async function ratioPicture({ title, contestants, baseline, figures, cases }: Comparison): Promise<string> {
  const values = figures.flatMap((figure) =>
    cases.flatMap(({ name, rounds }) =>
      contestants.flatMap((contestant) => {
        const summary = summarize(rounds, contestant, { ...(baseline && { baseline }), ...figure });
        const divisor = figure.baseline ?? baseline;
        return summary?.ratio
          ? { figure: `${figure.title} ÷ ${divisor}`, case: name, contestant, ...summary.ratio }
          : [];
      }),
    ),
  );
  const y = { field: 'case', type: 'nominal', sort: null, title: null } as const;
  const order = [...contestants];
  const yOffset = { field: 'contestant', sort: order };
  const specification: TopLevelSpec = {
    title: { text: title, anchor: 'start' },
    background: 'white',
    padding: 12,
    data: { values },
    facet: { field: 'figure', type: 'nominal', sort: null, title: null },
    columns: 3,
    spec: {
      width: 230,
      height: { step: 14 },
      layer: [
        {
          mark: 'bar',
          encoding: {
            x: { field: 'median', type: 'quantitative', title: null },
            y,
            yOffset,
            color: {
              field: 'contestant',
              type: 'nominal',
              sort: order,
              title: null,
              legend: { orient: 'bottom' },
            },
          },
        },
        {
          mark: 'rule',
          encoding: { x: { field: 'lowest', type: 'quantitative' }, x2: { field: 'highest' }, y, yOffset },
        },
        { mark: { type: 'rule', strokeDash: [4, 3] }, encoding: { x: { datum: 1 } } },
      ],
    },
    resolve: { scale: { x: 'independent' } },
  };
  return new View(parse(compile(specification).spec), { renderer: 'none' }).toSVG();
}

const marks = ['<!-- results -->', '<!-- end of results -->'] as const;

/**
 * Writes the tables of a report between the marks in `<name>.md`, and its picture to `<name>.svg`; the text around the
 * marks stays.
 */
export async function writeReport(folder: string, name: string, report: Report): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.versions.node}`;
  const lines = [`Measured on ${new Date().toISOString().slice(0, 10)}: ${machine}.`, reportText(report)];
  if (report.picture) {
    writeFileSync(path.join(folder, `${name}.svg`), await ratioPicture(report.picture));
    lines.push(`![${report.picture.title}, as ratios](${name}.svg)`);
  }
  const document = path.join(folder, `${name}.md`);
  const [before = '', after = '\n'] = readText(document).split(new RegExp(`${marks[0]}.*${marks[1]}`, 's'));
  writeFileSync(document, `${before}${[marks[0], ...lines, marks[1]].join('\n\n')}${after}`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
