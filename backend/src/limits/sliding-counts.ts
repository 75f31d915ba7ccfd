/** Length of the window in which requests are counted, in ms. */
export const windowLength = 60_000;

/** Keys that are counted one by one in a minute, so that memory stays bounded. */
const maxKeys = 50_000;

/**
 * Beyond `maxKeys`, new keys share 4,096 counts. So every request stays counted, at worst along with those of others: a
 * flood from very many networks neither escapes the limits nor locks out every new client. Keys are keyed hashes of 22
 * characters, so nobody can choose whose count they share.
 */
const sharedKeyOf = (key: string) => key.slice(0, 2).padEnd(22, '.');

/**
 * From this share of its limit on, a key is reported to the other backends. Most networks and addresses of a busy minute
 * come once: to report each would cost the database several writes a signup.
 */
const reportedFrom = 1 / 20;

/** How often something happened in one minute. */
interface Count {
  readonly key: string;
  /** Minutes since the epoch. */
  readonly minute: number;
  /** Counted by this backend. */
  own: number;
  /** Of `own`, what the shared table has. */
  reported: number;
  /** Of `own`, what the report under way adds to the shared table. */
  sending: number;
  /** Counted by all other backends, as of the last report. */
  others: number;
}

/** What a backend adds to the shared table. */
export interface Report {
  readonly key: string;
  readonly minute: number;
  readonly count: number;
}

/** What all backends have counted together. */
export interface SharedCount extends Report {
  /** The count of the minute before. */
  readonly before: number;
}

type CountWindow = Map<string, Count>;

const totalOf = (count: Count | undefined) => (count ? count.own + count.others : 0);
const countIn = (window: CountWindow, key: string) =>
  window.get(key) ?? (window.size < maxKeys ? undefined : window.get(sharedKeyOf(key)));

/**
 * Counts events of the last 60 seconds by key, and takes in what other backends count. The minute slides: of the calendar
 * minute before, as much counts as the window still reaches into. What is rejected is not counted.
 */
export class SlidingCounts {
  readonly #now: () => number;
  #minute = 0;
  #current: CountWindow = new Map();
  #previous: CountWindow = new Map();
  readonly #unreported = new Set<Count>();

  /** @param now the time in ms since the epoch; the clocks of all backends agree to a second or so */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Counts one more of a key, unless `limit` of them have happened in the last minute.
   *
   * @returns 0 if it was counted; otherwise after how many ms one more will be
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

  /** Returns what the shared table lacks; all of it again in the next report, until `learn` is called. */
  report(): readonly Report[] {
    this.#roll();
    return [...this.#unreported].map((count) => {
      count.sending = count.own - count.reported;
      return { key: count.key, minute: count.minute, count: count.sending };
    });
  }

  /** Takes in the response to the last report. */
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

  /** The total of the minute before may lack what this backend reported of it in the same statement. */
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

  /** Moves on to the present minute; returns how much of it has passed, from 0 to 1. */
  #roll(): number {
    const now = this.#now();
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

/** Returns after how many ms one more stays within the limit, if nothing else happens until then. */
function waitFor(limit: number, current: number, previous: number, elapsed: number): number {
  if (limit < 1) return windowLength;
  const left = limit - 1;
  // As the minute before fades, or, where this one alone is too much, as this one does in the next.
  const [share, past] = current <= left ? [(left - current) / previous, 0] : [left / current, 1];
  return Math.max(1, (past + 1 - share - elapsed) * windowLength);
}
