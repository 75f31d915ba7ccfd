import { type Html, html } from '../../html.ts';
import type { OutcomeInMinute } from '../../outcomes/release-outcomes.ts';

type Minutes = readonly OutcomeInMinute[];
type Counted = 'views' | 'failures';

const sum = (minutes: Minutes, counted: Counted) => minutes.reduce((all, minute) => all + minute[counted], 0);

const barsOf = (minutes: Minutes): Minutes =>
  Array.from({ length: Math.ceil(minutes.length / 5) }, (_, index) => {
    const within = minutes.slice(index * 5, index * 5 + 5);
    return { at: within[0]?.at ?? 0, views: sum(within, 'views'), failures: sum(within, 'failures') };
  });

/** The releases of a remote share a scale, so that they can be compared; one failure is never a full bar. */
export function scaleOf(charts: readonly Minutes[]): Readonly<Record<Counted, number>> {
  const max = (counted: Counted) => Math.max(4, ...charts.flatMap(barsOf).map((bar) => bar[counted]));
  return { views: max('views'), failures: max('failures') };
}

const countOf = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;
const timeOf = (moment = 0) => new Date(moment).toISOString().slice(11, 16);

/** A bar is five minutes: views stand above the line, failures hang below it. The label says the same in words. */
export function sparkline(minutes: Minutes, scale: ReturnType<typeof scaleOf>): Html {
  const bars = barsOf(minutes);
  const path = (counted: Counted, height: number) =>
    bars.map((bar, index) => {
      // At least two pixels: a single one is seen beside many.
      const length = Math.max(2, Math.round((bar[counted] / scale[counted]) * Math.abs(height)));
      return bar[counted] > 0 && `M${index * 5 + 2} 22v${Math.sign(height) * length}`;
    });
  const [worst] = bars.toSorted((one, other) => other.failures - one.failures);
  const most = worst?.failures && `; most failures, ${worst.failures}, within 5 minutes from ${timeOf(worst.at)} UTC`;
  const label = `${countOf(sum(minutes, 'views'), 'page view')} and ${countOf(sum(minutes, 'failures'), 'failure')} in the last ${minutes.length / 60} hours${most || ''}.`;
  const width = bars.length * 5;
  return html`<figure><svg role="img" aria-label="${label}" viewBox="0 0 ${width} 36" width="${width}" height="36"><path class="good" d="${path('views', -22)}"/><path class="bad" d="${path('failures', 14)}"/><path stroke-width="1" d="M0 22h${width}"/></svg>
<figcaption>${timeOf(minutes[0]?.at)} to ${timeOf(minutes.at(-1)?.at)} UTC</figcaption></figure>`;
}
