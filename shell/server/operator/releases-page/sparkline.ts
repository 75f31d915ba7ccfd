import { type Html, html } from '../../html.ts';
import type { OutcomeInInterval } from '../../outcomes/release-outcomes.ts';

type Bars = readonly OutcomeInInterval[];
type Counted = 'views' | 'failures';

export const sum = (bars: Bars, counted: Counted) => bars.reduce((all, bar) => all + bar[counted], 0);

/** The releases of a remote share a scale, so that they can be compared; one failure is never a full bar. */
export function scaleOf(charts: readonly Bars[]): Readonly<Record<Counted, number>> {
  const max = (counted: Counted) => Math.max(4, ...charts.flat().map((bar) => bar[counted]));
  return { views: max('views'), failures: max('failures') };
}

const countOf = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;
const timeOf = (moment = 0) => new Date(moment).toISOString().slice(11, 16);

/** A bar is five minutes: views stand above the line, failures hang below it. The label says the same in words. */
export function sparkline(bars: Bars, scale: ReturnType<typeof scaleOf>): Html {
  const path = (counted: Counted, height: number) =>
    bars.map((bar, index) => {
      // At least two pixels: a single one is seen beside many.
      const length = Math.max(2, Math.round((bar[counted] / scale[counted]) * Math.abs(height)));
      return bar[counted] > 0 && `M${index * 5 + 2} 22v${Math.sign(height) * length}`;
    });
  const [worst] = bars.toSorted((one, other) => other.failures - one.failures);
  const most = worst?.failures && `; most failures, ${worst.failures}, within 5 minutes from ${timeOf(worst.at)} UTC`;
  const label = `${countOf(sum(bars, 'views'), 'page view')} and ${countOf(sum(bars, 'failures'), 'failure')} in the last ${bars.length / 12} hours${most || ''}.`;
  const width = bars.length * 5;
  return html`<figure><svg role="img" aria-label="${label}" viewBox="0 0 ${width} 36" width="${width}" height="36"><path class="good" d="${path('views', -22)}"/><path class="bad" d="${path('failures', 14)}"/><path stroke-width="1" d="M0 22h${width}"/></svg>
<figcaption>${timeOf(bars[0]?.at)} to ${timeOf(bars.at(-1)?.at)} UTC</figcaption></figure>`;
}
