const minute = 60_000;

/** More than this is not counted within a minute: memory and log have an end, whoever writes. */
const mostPerMinute = 3_000;

/** Lets each key through once a minute, and no more than some thousand keys in all. */
export class OnceAMinute {
  readonly #now: () => number;
  #seen = new Set<string>();
  #began = 0;

  /** @param now the time in ms since the epoch */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Whether this key comes for the first time in this minute; `full` where too many others have. */
  isFirst(key: string): boolean | 'full' {
    const now = this.#now();
    if (now - this.#began >= minute) {
      this.#seen = new Set();
      this.#began = now;
    }
    if (this.#seen.has(key)) return false;
    if (this.#seen.size >= mostPerMinute) return 'full';
    this.#seen.add(key);
    return true;
  }
}
