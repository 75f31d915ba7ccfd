/** Length of the window in which requests are counted, in ms. */
export const windowLength = 60_000;

/** Max keys that are counted individually per minute: bounds the memory. */
const maxKeys = 50_000;

/**
 * Beyond `maxKeys`, new keys share 4,096 counts, so every request is still counted, at worst together with others: a
 * flood from many networks neither bypasses the limits nor locks out every new client. Keys are keyed hashes of 22
 * characters, so clients cannot choose whose count they share.
 */
const sharedKeyOf = (key: string) => key.slice(0, 2).padEnd(22, '.');

/**
 * Share of its limit from which a key is reported to the other backends. Most networks and addresses of a busy minute
 * appear once: reporting all of them would cost the database several writes per signup.
 */
const reportedFrom = 1 / 20;

/** The count of a key in one minute. */
interface Count {
  readonly key: string;
  /** Minutes since the epoch. */
  readonly minute: number;
  /** Counted by this backend. */
  own: number;
  /** Part of `own` that the shared table has. */
  reported: number;
  /** Part of `own` that the report in progress adds to the shared table. */
  sending: number;
  /** Counted by all other backends, as of the last report. */
  others: number;
}

/** A count that a backend adds to the shared table. */
export interface Report {
  readonly key: string;
  readonly minute: number;
  readonly count: number;
}

/** The total of all backends. */
export interface SharedCount extends Report {
  /** The total of the minute before. */
  readonly before: number;
}

type CountWindow = Map<string, Count>;

const totalOf = (count: Count | undefined) => (count ? count.own + count.others : 0);
const countIn = (window: CountWindow, key: string) =>
  window.get(key) ?? (window.size < maxKeys ? undefined : window.get(sharedKeyOf(key)));

/**
 * Counts events of the last 60 seconds by key, including those of other backends, with a sliding window: the calendar
 * minute before counts in proportion to its overlap with the window. Rejected events are not counted. The clocks of
 * all backends must agree to about a second.
 */
export class SlidingCounts {
  #minute = 0;
  #current: CountWindow = new Map();
  #previous: CountWindow = new Map();
  readonly #unreported = new Set<Count>();

  /**
   * Counts an event of a key, unless there were `limit` of them in the last minute.
   *
   * @returns 0 if it was counted; otherwise the ms until the next one can be
   */
  add(key: string, limit: number): number {
    const elapsed = this.#roll();
    const current = totalOf(countIn(this.#current, key));
    const previous = totalOf(countIn(this.#previous, key));
    if (current + previous * (1 - elapsed) + 1 > limit) return waitFor(limit, current, previous, elapsed);
    const count = countIn(this.#current, key) ?? this.#newCount(this.#current.size < maxKeys ? key : sharedKeyOf(key));
    count.own += 1;
    if (totalOf(count) >= limit * reportedFrom) this.#unreported.add(count);
    return 0;
  }

  /** Returns the counts that the shared table lacks. Until `learn` is called, the next report repeats them. */
  report(): readonly Report[] {
    this.#roll();
    return [...this.#unreported].map((count) => {
      count.sending = count.own - count.reported;
      return { key: count.key, minute: count.minute, count: count.sending };
    });
  }

  /** Applies the response to the last report. */
  learn(totals: readonly SharedCount[]): void {
    for (const { key, minute, count: total, before } of totals) {
      const count = this.#windowOf(minute)?.get(key);
      if (!count) continue;
      count.reported += count.sending;
      count.sending = 0;
      count.others = total - count.reported;
      if (count.own === count.reported) this.#unreported.delete(count);
      this.#learnBefore(key, minute - 1, before);
    }
  }

  /** The total of the minute before may lack the part that this backend reported in the same statement. */
  #learnBefore(key: string, minute: number, total: number): void {
    const count = this.#windowOf(minute)?.get(key) ?? (total > 0 ? this.#newCount(key, minute) : undefined);
    if (count) count.others = Math.max(count.others, total - count.reported);
  }

  #newCount(key: string, minute = this.#minute): Count {
    const count = { key, minute, own: 0, reported: 0, sending: 0, others: 0 };
    this.#windowOf(minute)?.set(key, count);
    return count;
  }

  #windowOf(minute: number): CountWindow | undefined {
    if (minute === this.#minute) return this.#current;
    return minute === this.#minute - 1 ? this.#previous : undefined;
  }

  /** Advances to the current minute and returns its elapsed share, from 0 to 1. */
  #roll(): number {
    const now = Date.now();
    const minute = Math.floor(now / windowLength);
    if (minute !== this.#minute) {
      this.#previous = minute === this.#minute + 1 ? this.#current : new Map();
      this.#current = new Map();
      this.#minute = minute;
      for (const count of this.#unreported) if (count.minute < minute - 1) this.#unreported.delete(count);
    }
    return (now % windowLength) / windowLength;
  }
}

/** Returns the ms until one more event stays within the limit, without other events in between. */
function waitFor(limit: number, current: number, previous: number, elapsed: number): number {
  if (limit < 1) return windowLength;
  const left = limit - 1;
  // The minute before fades out; if this minute alone exceeds the limit, it has to fade out in the next one.
  const [share, past] = current <= left ? [(left - current) / previous, 0] : [left / current, 1];
  return Math.max(1, (past + 1 - share - elapsed) * windowLength);
}
