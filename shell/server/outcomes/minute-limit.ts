const minute = 60_000;

/** Max keys admitted within a minute; bounds the memory. */
const maxKeys = 3_000;

/** Admits each key once a minute, with a limited number of keys. */
export class MinuteLimit {
  readonly #admitted = new Set<string>();
  #start = 0;

  /** Returns whether a key comes for the first time in this minute; `full` if there are too many other keys. */
  admits(key: string): boolean | 'full' {
    if (Date.now() - this.#start >= minute) {
      this.#start = Date.now();
      this.#admitted.clear();
    }
    if (this.#admitted.has(key)) return false;
    if (this.#admitted.size >= maxKeys) return 'full';
    this.#admitted.add(key);
    return true;
  }
}
