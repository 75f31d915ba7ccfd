const minute = 60_000;

/** More keys than this are not counted within a minute: memory has an end, whoever writes. */
const mostKeys = 3_000;

/** Lets each key through some times a minute, and no more than some thousand keys in all. */
export class MinuteLimit {
  readonly #now: () => number;
  #counts = new Map<string, number>();
  #began = 0;

  /** @param now the time in ms since the epoch */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Whether a key has come no more than `most` times in this minute; `full` where too many others have. */
  admits(key: string, most: number): boolean | 'full' {
    const now = this.#now();
    if (now - this.#began >= minute) {
      this.#counts = new Map();
      this.#began = now;
    }
    const count = this.#counts.get(key) ?? 0;
    if (count === 0 && this.#counts.size >= mostKeys) return 'full';
    this.#counts.set(key, Math.min(count + 1, most + 1));
    return count < most;
  }
}
