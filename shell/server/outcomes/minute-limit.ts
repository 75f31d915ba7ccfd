const minute = 60_000;

/** Max keys admitted within a minute; bounds the memory. */
const maxKeys = 3_000;

/** Rate limit per key and minute, with a limited number of keys. */
export class MinuteLimit {
  readonly #now: () => number;
  #counts = new Map<string, number>();
  #start = 0;

  /** @param now the time in ms since the epoch */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Returns whether a key came at most `max` times in this minute; `full` if there are too many other keys. */
  admits(key: string, max: number): boolean | 'full' {
    if (this.#now() - this.#start >= minute) {
      this.#start = this.#now();
      this.#counts = new Map();
    }
    const count = this.#counts.get(key) ?? 0;
    if (count >= max) return false;
    if (count === 0 && this.#counts.size >= maxKeys) return 'full';
    this.#counts.set(key, count + 1);
    return true;
  }
}
