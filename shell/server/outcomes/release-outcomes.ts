import type { FailureKind } from '@daybook/contract';

/** Counts are kept by the minute, for this many minutes. */
const keptMinutes = 180;

const minute = 60_000;

/** What happened to a release's pages within a minute, or over a longer time. */
export interface Outcome {
  /** Pages that were served. */
  readonly views: number;
  /** Failures that were reported, at most one a minute of each client's network. */
  readonly failures: number;
}

export interface OutcomeInMinute extends Outcome {
  /** When the minute began, in ms since the epoch. */
  readonly at: number;
}

interface Counted {
  views: number;
  failures: number;
}

/** Is told of each event as it is counted; the metrics are. */
export interface OutcomeListener {
  onView(remote: string, version: string): void;
  onFailure(remote: string, version: string, kind: FailureKind): void;
}

const keyOf = (remote: string, version: string) => `${remote}@${version}`;

/**
 * How often the pages of each release were served and how often they failed, minute by minute. In memory, for
 * this server since its start: the metrics are what outlives it.
 */
export class ReleaseOutcomes {
  readonly #minutes = new Map<string, Map<number, Counted>>();
  readonly #listener: OutcomeListener;
  readonly #now: () => number;

  /** @param now the time in ms since the epoch */
  constructor(listener: OutcomeListener, now: () => number = Date.now) {
    this.#listener = listener;
    this.#now = now;
  }

  countView(remote: string, version: string): void {
    this.#counted(remote, version).views += 1;
    this.#listener.onView(remote, version);
  }

  /** A page that had to be rendered anew in the browser works: such a failure is told, and counts against no release. */
  countFailure(remote: string, version: string, kind: FailureKind): void {
    if (kind !== 'hydration') this.#counted(remote, version).failures += 1;
    this.#listener.onFailure(remote, version, kind);
  }

  /** The last minutes, the oldest first; a minute in which nothing happened is there with zeros. */
  lastMinutes(remote: string, version: string, count = keptMinutes): readonly OutcomeInMinute[] {
    const counted = this.#minutes.get(keyOf(remote, version));
    const last = this.#thisMinute();
    return Array.from({ length: count }, (_, index) => {
      const at = last - (count - 1 - index) * minute;
      return { at, views: 0, failures: 0, ...counted?.get(at) };
    });
  }

  #thisMinute(): number {
    return Math.floor(this.#now() / minute) * minute;
  }

  #counted(remote: string, version: string): Counted {
    const key = keyOf(remote, version);
    const at = this.#thisMinute();
    const minutes = this.#minutes.get(key) ?? new Map<number, Counted>();
    this.#minutes.set(key, minutes);
    const known = minutes.get(at);
    if (known) return known;
    const counted = { views: 0, failures: 0 };
    minutes.set(at, counted);
    for (const old of minutes.keys()) if (old <= at - keptMinutes * minute) minutes.delete(old);
    return counted;
  }
}
