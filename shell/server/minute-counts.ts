const minute = 60_000;

/** More keys than this are not counted within a minute: memory has an end, whoever writes. */
const mostKeys = 3_000;

/** Counts by key, a minute at a time. */
export class MinuteCounts {
  readonly #now: () => number;
  #counts = new Map<string, number>();
  #began = 0;

  /** @param now the time in ms since the epoch */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** How often a key was counted in this minute. */
  of(key: string): number {
    this.#forget();
    return this.#counts.get(key) ?? 0;
  }

  /** Counts a key; `false` where it was not, since too many others are counted already. */
  add(key: string): boolean {
    const count = this.of(key);
    if (count === 0 && this.#counts.size >= mostKeys) return false;
    this.#counts.set(key, count + 1);
    return true;
  }

  /** Seconds until all counts begin anew; 1 or more. */
  secondsLeft(): number {
    return Math.max(1, Math.ceil((this.#began + minute - this.#now()) / 1000));
  }

  #forget(): void {
    if (this.#now() - this.#began < minute) return;
    this.#began = this.#now();
    this.#counts = new Map();
  }
}
