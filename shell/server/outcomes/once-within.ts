import { FifoMap } from 'toad-cache';

/**
 * Admits each key once within a period. Remembers a limited number of keys: beyond, it forgets the oldest, which may be
 * admitted again, so that a flood of keys keeps no other key out.
 */
export class OnceWithin {
  readonly #admitted: FifoMap<true>;

  /**
   * @param period in ms
   * @param maxKeys bounds the memory
   */
  constructor(period: number, maxKeys: number) {
    this.#admitted = new FifoMap(maxKeys, period);
  }

  /** Returns whether the key comes for the first time within the period. */
  admits(key: string): boolean {
    if (this.#admitted.get(key)) return false;
    this.#admitted.set(key, true);
    return true;
  }
}
