import type { OutcomeInMinute } from '../../outcomes/release-outcomes.ts';
import { type Html, html } from './html.ts';

/** Minutes that are one bar. */
const step = 5;

/** Sizes in pixels: views stand above the line, failures hang below it. */
const barWidth = 4;
const gap = 1;
const viewsHeight = 22;
const failuresHeight = 14;
const line = viewsHeight + 1;
const chartHeight = viewsHeight + failuresHeight + 2;

/** Below the bars, a mark and its time for each full hour. */
const axisHeight = 12;
const timeWidth = 32;
const height = chartHeight + axisHeight;

const hour = 3_600_000;

/** A bar of failures is never drawn as if there had been more than so many: one failure is not a full bar. */
const leastScale = 4;

interface Bar {
  /** In ms since the epoch. */
  readonly at: number;
  readonly views: number;
  readonly failures: number;
}

function barsOf(minutes: readonly OutcomeInMinute[]): readonly Bar[] {
  return Array.from({ length: Math.ceil(minutes.length / step) }, (_, index) => {
    const within = minutes.slice(index * step, (index + 1) * step);
    return {
      at: within[0]?.at ?? 0,
      views: within.reduce((sum, { views }) => sum + views, 0),
      failures: within.reduce((sum, { failures }) => sum + failures, 0),
    };
  });
}

/** The largest bars of a remote's releases: its charts share a scale, so that they can be compared. */
export interface ChartScale {
  readonly views: number;
  readonly failures: number;
}

export function scaleOf(charts: readonly (readonly OutcomeInMinute[])[]): ChartScale {
  const bars = charts.flatMap(barsOf);
  return {
    views: Math.max(leastScale, ...bars.map(({ views }) => views)),
    failures: Math.max(leastScale, ...bars.map(({ failures }) => failures)),
  };
}

const countOf = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** What the chart shows, in words. */
export function describeOutcomes(minutes: readonly OutcomeInMinute[]): string {
  const bars = barsOf(minutes);
  const views = bars.reduce((sum, bar) => sum + bar.views, 0);
  const failures = bars.reduce((sum, bar) => sum + bar.failures, 0);
  const sums = `${countOf(views, 'page view')} and ${countOf(failures, 'failure')} in the last ${minutes.length / 60} hours`;
  const worst = bars.reduce<Bar | undefined>(
    (found, bar) => (bar.failures > (found?.failures ?? 0) ? bar : found),
    undefined,
  );
  if (!worst) return `${sums}.`;
  return `${sums}; most failures, ${worst.failures}, within ${step} minutes from ${new Date(worst.at).toISOString().slice(11, 16)} UTC.`;
}

/** Drawn so that a single one is seen beside many. */
const lengthOf = (count: number, most: number, longest: number) =>
  count === 0 ? 0 : Math.max(2, Math.round((count / most) * longest));

/** A mark at each full hour, of UTC as all moments of the page. */
function axisOf(bars: readonly Bar[]): readonly Html[] {
  return bars.flatMap(({ at }, index) => {
    // A bar begins at whatever minute; the hour that it has in it is the one that begins within it.
    const full = Math.ceil(at / hour) * hour;
    if (full >= at + step * 60_000) return [];
    const x = index * (barWidth + gap);
    const time = new Date(full).toISOString().slice(11, 16);
    // Before its mark where there is no room after it.
    const text =
      x + timeWidth < bars.length * (barWidth + gap)
        ? html`<text x="${x + 3}" y="${height - 2}">${time}</text>`
        : html`<text x="${x - 2}" y="${height - 2}" text-anchor="end">${time}</text>`;
    return [html`<rect class="line" x="${x}" y="${viewsHeight}" width="1" height="${height - viewsHeight}"/>${text}`];
  });
}

/** Page views and failures over time as a small picture, with the same in words for who does not see it. */
export function outcomeChart(minutes: readonly OutcomeInMinute[], scale: ChartScale): Html {
  const bars = barsOf(minutes);
  const width = bars.length * (barWidth + gap);
  const drawn = bars.map(({ views, failures }, index) => {
    const x = index * (barWidth + gap);
    const up = lengthOf(views, scale.views, viewsHeight);
    const down = lengthOf(failures, scale.failures, failuresHeight);
    return [
      up > 0 && html`<rect class="views" x="${x}" y="${viewsHeight - up}" width="${barWidth}" height="${up}"/>`,
      down > 0 && html`<rect class="failures" x="${x}" y="${line + 1}" width="${barWidth}" height="${down}"/>`,
    ];
  });
  return html`<svg class="chart" role="img" aria-label="${describeOutcomes(minutes)}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<rect class="line" x="0" y="${viewsHeight}" width="${width}" height="1"/>${axisOf(bars)}${drawn}</svg>`;
}
