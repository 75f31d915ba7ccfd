import { type Comparison, type Figure, summarise } from '../comparison.ts';
import { line, round, seriesColours, svg, text } from './svg.ts';

const width = 860;
const left = 250;
const right = 150;
const barHeight = 16;
const caseGap = 10;
const panelHead = 34;
const margin = 20;

/** One figure: a bar for each case and contestant, as long as the ratio; a thin line from the lowest to the highest. */
function panel(comparison: Comparison, figure: Figure, top: number) {
  const { contestants, cases } = comparison;
  const { baseline = comparison.baseline } = figure;
  const others = contestants.filter((name) => name !== baseline);
  const bars = cases.flatMap(({ name, rounds }) =>
    others.map((contestant) => ({
      name,
      contestant,
      ratios: summarise(rounds, contestant, figure.key, baseline)?.ratios,
    })),
  );
  const most = Math.max(1, ...bars.map(({ ratios }) => ratios?.highest ?? 0));
  const x = (ratio: number) => left + (ratio / most) * (width - left - right);
  const parts = [text(margin, top + 16, figure.title, { kind: 'title' })];
  let y = top + panelHead;
  for (const [index, { name, contestant, ratios }] of bars.entries()) {
    if (index % others.length === 0) parts.push(text(margin, y + 12, name, { kind: 'quiet' }));
    parts.push(text(left - 8, y + 12, contestant, { anchor: 'end' }));
    if (ratios) {
      const colour = seriesColours[contestants.indexOf(contestant) % seriesColours.length];
      const middle = y + barHeight / 2 - 1;
      parts.push(
        `<rect x="${left}" y="${y}" width="${round(x(ratios.ratio) - left)}" height="${barHeight - 2}" fill="${colour}"/>`,
        line([x(ratios.lowest), middle], [x(ratios.highest), middle], 'range'),
        text(x(Math.max(ratios.highest, 1)) + 8, y + 12, ratios.ratio.toFixed(2)),
      );
    }
    y += barHeight + ((index + 1) % others.length === 0 ? caseGap : 0);
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
