import { type Comparison, type Figure, summarise } from '../comparison.ts';
import { line, round, seriesColours, svg, text } from './svg.ts';

const width = 860;
/** Room for the names, at least. */
const leastLeft = 250;
/** About what a letter takes. */
const letterWidth = 7;
const right = 150;
const barHeight = 16;
const caseGap = 10;
const panelHead = 34;
const margin = 20;

/** Where bars begin: right of the longest names of a case and a contestant. */
function leftOf({ cases, contestants }: Comparison): number {
  const longest = (names: readonly string[]) => Math.max(0, ...names.map(({ length }) => length));
  const letters = longest(cases.map(({ name }) => name)) + longest(contestants);
  return Math.max(leastLeft, margin + letters * letterWidth + 16);
}

/** One figure: a bar for each case and contestant, as long as the ratio; a thin line from the lowest to the highest. */
function panel(comparison: Comparison, figure: Figure, top: number) {
  const { contestants, cases } = comparison;
  const { baseline = comparison.baseline } = figure;
  const left = leftOf(comparison);
  // What was not measured has no bar.
  const groups = cases.map(({ name, rounds }) => ({
    name,
    bars: contestants.flatMap((contestant) => {
      const ratios = summarise(rounds, contestant, figure.key, baseline)?.ratios;
      return ratios && contestant !== baseline ? [{ contestant, ratios }] : [];
    }),
  }));
  const most = Math.max(1, ...groups.flatMap(({ bars }) => bars.map(({ ratios }) => ratios.highest)));
  const x = (ratio: number) => left + (ratio / most) * (width - left - right);
  const parts = [text(margin, top + 16, figure.title, { kind: 'title' })];
  let y = top + panelHead;
  for (const { name, bars } of groups.filter(({ bars }) => bars.length > 0)) {
    parts.push(text(margin, y + 12, name, { kind: 'quiet' }));
    for (const { contestant, ratios } of bars) {
      const colour = seriesColours[contestants.indexOf(contestant) % seriesColours.length];
      const middle = y + barHeight / 2 - 1;
      parts.push(
        text(left - 8, y + 12, contestant, { anchor: 'end' }),
        `<rect x="${left}" y="${y}" width="${round(x(ratios.ratio) - left)}" height="${barHeight - 2}" fill="${colour}"/>`,
        line([x(ratios.lowest), middle], [x(ratios.highest), middle], 'range'),
        text(x(Math.max(ratios.highest, 1)) + 8, y + 12, ratios.ratio.toFixed(2)),
      );
      y += barHeight;
    }
    y += caseGap;
  }
  const range = [top + panelHead - 6, y - caseGap + 2] as const;
  const mark = (ratio: number, kind: 'axis' | 'aim') => line([x(ratio), range[0]], [x(ratio), range[1]], kind);
  parts.push(mark(1, 'axis'), text(x(1), range[0] - 3, baseline, { anchor: 'middle', kind: 'quiet' }));
  const { aim } = figure;
  if (aim) parts.push(mark('atLeast' in aim ? aim.atLeast : aim.atMost, 'aim'));
  return { parts, bottom: y + caseGap };
}

/** All figures of a comparison as ratios to the baseline, below each other; a dashed line marks an aim. */
export function ratioPicture(comparison: Comparison): string {
  const parts: string[] = [text(margin, 28, comparison.title, { kind: 'title' })];
  let top = 46;
  for (const figure of comparison.figures) {
    const { parts: added, bottom } = panel(comparison, figure, top);
    parts.push(...added);
    top = bottom;
  }
  return svg(width, round(top + 4), comparison.title, parts);
}
