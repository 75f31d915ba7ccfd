import { type Html, html } from '../../html.ts';
import type { OutcomeInMinute } from '../../outcomes/release-outcomes.ts';

/** A bar is five minutes: views stand above the line, failures hang below it. Sizes in pixels. */
const [minutesOfBar, barStep, viewsHeight, failuresHeight] = [5, 5, 22, 14];

type Counted = 'views' | 'failures';
export type Scale = Readonly<Record<Counted, number>>;

const sum = (minutes: readonly OutcomeInMinute[], counted: Counted) =>
  minutes.reduce((all, minute) => all + minute[counted], 0);

const barsOf = (minutes: readonly OutcomeInMinute[]) =>
  Array.from({ length: Math.ceil(minutes.length / minutesOfBar) }, (_, index) => {
    const within = minutes.slice(index * minutesOfBar, (index + 1) * minutesOfBar);
    return { at: within[0]?.at ?? 0, views: sum(within, 'views'), failures: sum(within, 'failures') };
  });

/** The releases of a remote share a scale, so that they can be compared; one failure is never a full bar. */
export function scaleOf(charts: readonly (readonly OutcomeInMinute[])[]): Scale {
  const bars = charts.flatMap(barsOf);
  return {
    views: Math.max(4, ...bars.map((bar) => bar.views)),
    failures: Math.max(4, ...bars.map((bar) => bar.failures)),
  };
}

const countOf = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;
const timeOf = (moment = 0) => new Date(moment).toISOString().slice(11, 16);

/** Page views and failures over time as a small picture, with the same in words for those who do not see it. */
export function sparkline(minutes: readonly OutcomeInMinute[], scale: Scale): Html {
  const bars = barsOf(minutes);
  // At least two pixels: a single one is seen beside many.
  const path = (counted: Counted, height: number) => {
    const lengths = bars.map((bar) => Math.max(2, Math.round((bar[counted] / scale[counted]) * Math.abs(height))));
    const drawn = lengths.map((length, x) => `M${x * barStep + 2} ${viewsHeight}v${Math.sign(height) * length}`);
    return drawn.filter((_, index) => bars[index]?.[counted]).join('');
  };
  const [worst] = bars.filter(({ failures }) => failures > 0).toSorted((one, other) => other.failures - one.failures);
  const most =
    worst && `; most failures, ${worst.failures}, within ${minutesOfBar} minutes from ${timeOf(worst.at)} UTC`;
  const label = `${countOf(sum(minutes, 'views'), 'page view')} and ${countOf(sum(minutes, 'failures'), 'failure')} in the last ${minutes.length / 60} hours${most ?? ''}.`;
  const [width, height] = [bars.length * barStep, viewsHeight + failuresHeight];
  return html`<figure><svg role="img" aria-label="${label}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><path class="good" d="${path('views', -viewsHeight)}"/><path class="bad" d="${path('failures', failuresHeight)}"/><path stroke-width="1" d="M0 ${viewsHeight}h${width}"/></svg>
<figcaption>${timeOf(minutes[0]?.at)} to ${timeOf(minutes.at(-1)?.at)} UTC</figcaption></figure>`;
}
