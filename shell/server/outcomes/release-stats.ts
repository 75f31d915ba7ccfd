import { type FailureKind, failureKinds } from '@daybook/contract/page';
import type { Counter } from 'prom-client';

/** In ms: counts are stored by intervals of five minutes, for a week. */
const interval = 5 * 60_000;
const retention = 7 * 24 * 60 * 60_000;

/** Number of intervals in a chart: three hours. */
const chartIntervals = 36;

/** Views and failures of a release's pages within a period. */
export interface ReleaseCounts {
  readonly views: number;
  /** Reported failures, at most one per client network and minute. */
  readonly failures: number;
}

export interface IntervalCounts extends ReleaseCounts {
  /** Start of the interval, in ms since the epoch. */
  readonly at: number;
}

type EventCounters = Readonly<Record<'views' | 'failures', Pick<Counter, 'inc'>>>;

/**
 * Counts page views and failures of each release. In memory, for this server since its start; the metrics outlive it.
 */
export class ReleaseStats {
  /** The intervals of each release with any event, the oldest first. */
  readonly #counts = new Map<string, { at: number; views: number; failures: number }[]>();
  readonly #metrics: EventCounters | undefined;

  /** @param metrics also count each event */
  constructor(metrics?: EventCounters) {
    this.#metrics = metrics;
  }

  countView(remote: string, version: string): void {
    this.#current(remote, version).views += 1;
    this.#metrics?.views.inc({ remote, version });
  }

  /** A page that failed to hydrate was rendered again and works: only the metrics count it, not the release's failures. */
  countFailure(remote: string, version: string, kind: FailureKind): void {
    if (kind !== 'hydration') this.#current(remote, version).failures += 1;
    this.#metrics?.failures.inc({ remote, version, kind });
  }

  /** Returns the last three hours, the oldest interval first; intervals without events have zeros. */
  recent(remote: string, version: string): readonly IntervalCounts[] {
    const counts = this.#counts.get(`${remote}@${version}`)?.slice(-chartIntervals);
    return Array.from({ length: chartIntervals }, (_, index) => {
      const at = this.#start() - (chartIntervals - 1 - index) * interval;
      return counts?.find((each) => each.at === at) ?? { at, views: 0, failures: 0 };
    });
  }

  /**
   * Returns the sum since a moment, at most a week ago. Includes the whole interval of the moment: up to five minutes more.
   *
   * @param moment in ms since the epoch
   */
  since(remote: string, version: string, moment: number): ReleaseCounts {
    const counts = (this.#counts.get(`${remote}@${version}`) ?? []).filter(({ at }) => at + interval > moment);
    const sum = (counted: 'views' | 'failures') => counts.reduce((all, each) => all + each[counted], 0);
    return { views: sum('views'), failures: sum('failures') };
  }

  #start(): number {
    return Math.floor(Date.now() / interval) * interval;
  }

  #current(remote: string, version: string) {
    const key = `${remote}@${version}`;
    const at = this.#start();
    const counts = this.#counts.get(key);
    const last = counts?.at(-1);
    if (last?.at === at) return last;
    // From 0: Prometheus sees no increase in a counter that begins with 1.
    if (!counts) for (const kind of failureKinds) this.#metrics?.failures.inc({ remote, version, kind }, 0);
    const fresh = { at, views: 0, failures: 0 };
    this.#counts.set(key, [...(counts ?? []).filter((each) => each.at > at - retention), fresh]);
    return fresh;
  }
}
