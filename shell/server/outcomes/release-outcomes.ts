import type { FailureKind } from '@daybook/contract';
import type { Metrics } from '../metrics.ts';

/** Counts are stored by intervals of five minutes, in ms, for three hours. */
const interval = 5 * 60_000;
const maxIntervals = 36;

/** What happened to a release's pages within an interval, or over a longer time. */
export interface Outcome {
  readonly views: number;
  /** Failures that were reported, at most one a minute of each client's network. */
  readonly failures: number;
}

export interface OutcomeInInterval extends Outcome {
  /** When the interval began, in ms since the epoch. */
  readonly at: number;
}

/**
 * How often the pages of each release were served and how often they failed. In memory, for this server since its
 * start: the metrics are what outlives it.
 */
export class ReleaseOutcomes {
  readonly #counts = new Map<string, { at: number; views: number; failures: number }[]>();
  readonly #metrics: Pick<Metrics, 'countView' | 'countFailure'> | undefined;
  readonly #now: () => number;

  /**
   * @param metrics count each event, too
   * @param now the time in ms since the epoch
   */
  constructor(metrics?: Pick<Metrics, 'countView' | 'countFailure'>, now: () => number = Date.now) {
    this.#metrics = metrics;
    this.#now = now;
  }

  countView(remote: string, version: string): void {
    this.#current(remote, version).views += 1;
    this.#metrics?.countView(remote, version);
  }

  /** A page that had to be rendered anew in the browser works: the metrics count it, the release's failures do not. */
  countFailure(remote: string, version: string, kind: FailureKind): void {
    if (kind !== 'hydration') this.#current(remote, version).failures += 1;
    this.#metrics?.countFailure(remote, version, kind);
  }

  /** The last three hours, the oldest first; an interval in which nothing happened is there with zeros. */
  recent(remote: string, version: string): readonly OutcomeInInterval[] {
    const counts = this.#counts.get(`${remote}@${version}`);
    return Array.from({ length: maxIntervals }, (_, index) => {
      const at = this.#start() - (maxIntervals - 1 - index) * interval;
      return counts?.find((each) => each.at === at) ?? { at, views: 0, failures: 0 };
    });
  }

  #start(): number {
    return Math.floor(this.#now() / interval) * interval;
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
