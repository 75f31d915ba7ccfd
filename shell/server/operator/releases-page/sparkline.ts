import { type Html, html } from '../../html.ts';
import type { IntervalCounts } from '../../outcomes/release-stats.ts';

type Bars = readonly IntervalCounts[];
type Counted = 'views' | 'failures';

export const sum = (bars: Bars, counted: Counted) => bars.reduce((all, bar) => all + bar[counted], 0);

/** Returns one scale for all releases of a remote, so that they can be compared; one failure is never a full bar. */
export function scaleOf(charts: readonly Bars[]): Readonly<Record<Counted, number>> {
  const max = (counted: Counted) => Math.max(4, ...charts.flat().map((bar) => bar[counted]));
  return { views: max('views'), failures: max('failures') };
}

const countOf = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;
const timeOf = (moment = 0) => new Date(moment).toISOString().slice(11, 16);

/** Renders a bar for each five minutes: views above the line, failures below it. The label states the same as text. */
export function sparkline(bars: Bars, scale: ReturnType<typeof scaleOf>): Html {
  const path = (counted: Counted, height: number) =>
    bars.map((bar, index) => {
      // At least two pixels, so that a single event is visible beside many.
      const length = Math.max(2, Math.round((bar[counted] / scale[counted]) * Math.abs(height)));
      return bar[counted] > 0 && `M${index * 5 + 2} 22v${Math.sign(height) * length}`;
    });
  const [worst] = bars.toSorted((one, other) => other.failures - one.failures);
  const peak = worst?.failures && `; most failures, ${worst.failures}, within 5 minutes from ${timeOf(worst.at)} UTC`;
  const label = `${countOf(sum(bars, 'views'), 'page view')} and ${countOf(sum(bars, 'failures'), 'failure')} in the last ${bars.length / 12} hours${peak || ''}.`;
  const width = bars.length * 5;
  return html`<figure><svg role="img" aria-label="${label}" viewBox="0 0 ${width} 36" width="${width}" height="36"><path class="good" d="${path('views', -22)}"/><path class="bad" d="${path('failures', 14)}"/><path stroke-width="1" d="M0 22h${width}"/></svg>
<figcaption>${timeOf(bars[0]?.at)} to ${timeOf(bars.at(-1)?.at)} UTC</figcaption></figure>`;
}
