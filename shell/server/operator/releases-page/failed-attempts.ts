import { MinuteCounts } from '../../minute-counts.ts';

/** A network may fail so often within a minute. */
export const mostAttempts = 10;

/** Counts failed attempts to sign in by network, a minute at a time. */
export class FailedAttempts {
  readonly #counts: MinuteCounts;

  /** @param now the time in ms since the epoch */
  constructor(now?: () => number) {
    this.#counts = new MinuteCounts(now);
  }

  /** Seconds that this network has to wait; 0 where it may try. */
  waitOf(network: string): number {
    return this.#counts.of(network) < mostAttempts ? 0 : this.#counts.secondsLeft();
  }

  count(network: string): void {
    this.#counts.add(network);
  }
}
