import { line, round, seriesColours, svg, text } from './svg.ts';

export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface LinePicture {
  readonly title: string;
  /** What the axes tell, with units. */
  readonly x: string;
  readonly y: string;
  readonly series: readonly Series[];
}

const width = 860;
const height = 360;
const area = { left: 60, right: 130, top: 60, bottom: 46 };
/** Parts into which an axis is divided, at most about. */
const divisions = 6;

/** Round numbers from 0 on that divide an axis up to the highest value. */
export function ticksUpTo(highest: number): number[] {
  if (highest <= 0) return [0];
  const rough = highest / divisions;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((candidate) => candidate >= rough) ?? rough;
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => Number((index * step).toPrecision(6)));
}

/** Values over something, from 0 on both axes, so that what looks flat is flat. */
export function linePicture({ title, x: xTitle, y: yTitle, series }: LinePicture): string {
  const highest = (pick: 0 | 1) => Math.max(0, ...series.flatMap(({ points }) => points.map((point) => point[pick])));
  const [xTicks, yTicks] = [ticksUpTo(highest(0)), ticksUpTo(highest(1))];
  const [xEnd, yEnd] = [highest(0) || 1, yTicks.at(-1) || 1];
  const x = (value: number) => area.left + (value / xEnd) * (width - area.left - area.right);
  const y = (value: number) => height - area.bottom - (value / yEnd) * (height - area.top - area.bottom);
  const parts = [
    text(20, 28, title, { kind: 'title' }),
    text(20, area.top - 12, yTitle, { kind: 'quiet' }),
    text(x(xEnd), height - 10, xTitle, { anchor: 'end', kind: 'quiet' }),
    line([area.left, y(0)], [x(xEnd), y(0)], 'axis'),
    ...yTicks.map((tick) => text(area.left - 8, y(tick) + 4, String(tick), { anchor: 'end', kind: 'quiet' })),
    ...xTicks
      .filter((tick) => tick <= xEnd)
      .map((tick) => text(x(tick), height - area.bottom + 18, String(tick), { anchor: 'middle', kind: 'quiet' })),
  ];
  for (const [index, { name, points }] of series.entries()) {
    const colour = seriesColours[index % seriesColours.length];
    const path = points.map((point) => `${round(x(point[0]))},${round(y(point[1]))}`).join(' ');
    const last = points.at(-1);
    parts.push(`<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`);
    if (last) parts.push(text(x(last[0]) + 8, y(last[1]) + 4, name));
  }
  return svg(width, height, title, parts);
}
