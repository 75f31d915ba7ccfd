import { MinuteCounts } from '../minute-counts.ts';

/** Lets each key through some times a minute, and no more than some thousand keys in all. */
export class MinuteLimit {
  readonly #counts: MinuteCounts;

  /** @param now the time in ms since the epoch */
  constructor(now?: () => number) {
    this.#counts = new MinuteCounts(now);
  }

  /** Whether a key has come no more than `most` times in this minute; `full` where too many others have. */
  admits(key: string, most: number): boolean | 'full' {
    const count = this.#counts.of(key);
    if (count >= most) return false;
    return this.#counts.add(key) || 'full';
  }
}
