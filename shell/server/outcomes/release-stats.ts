import type { FailureKind } from '@daybook/contract/page';
import type { Counter } from 'prom-client';

/** Counts are stored by intervals of five minutes, in ms, for three hours. */
const interval = 5 * 60_000;
const maxIntervals = 36;

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
    const counts = this.#counts.get(`${remote}@${version}`);
    return Array.from({ length: maxIntervals }, (_, index) => {
      const at = this.#start() - (maxIntervals - 1 - index) * interval;
      return counts?.find((each) => each.at === at) ?? { at, views: 0, failures: 0 };
    });
  }

  #start(): number {
    return Math.floor(Date.now() / interval) * interval;
  }

  #current(remote: string, version: string) {
    const key = `${remote}@${version}`;
    const at = this.#start();
    const counts = (this.#counts.get(key) ?? []).filter((each) => each.at > at - maxIntervals * interval);
    if (counts.at(-1)?.at !== at) counts.push({ at, views: 0, failures: 0 });
    this.#counts.set(key, counts);
    return counts.at(-1) as (typeof counts)[number];
  }
}
