const minute = 60_000;

/** Max keys admitted within a minute; bounds the memory. */
const maxKeys = 3_000;

/** Rate limit per key and minute, with a limited number of keys. */
export class MinuteLimit {
  #counts = new Map<string, number>();
  #start = 0;

  /** Returns whether a key came at most `max` times in this minute; `full` if there are too many other keys. */
  admits(key: string, max: number): boolean | 'full' {
    if (Date.now() - this.#start >= minute) {
      this.#start = Date.now();
      this.#counts = new Map();
    }
    const count = this.#counts.get(key) ?? 0;
    if (count >= max) return false;
    if (count === 0 && this.#counts.size >= maxKeys) return 'full';
    this.#counts.set(key, count + 1);
    return true;
  }
}
