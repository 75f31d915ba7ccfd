/** Length of the window in which requests are counted, in ms. */
export const windowLength = 60_000;

/** Keys that are counted one by one in a minute, so that memory has an end. */
const maxKeys = 50_000;

/**
 * Beyond, new keys share 4,096 counts. So every request stays counted, at worst along with those of others: a flood from
 * very many networks neither escapes the limits nor keeps out everybody who is new. Keys are keyed hashes of 22
 * characters, so nobody can choose whose count they share.
 */
const sharedKeyOf = (key: string) => key.slice(0, 2).padEnd(22, '.');

const countIn = (window: ReadonlyMap<string, Count>, key: string): Count | undefined =>
  window.get(key) ?? (window.size < maxKeys ? undefined : window.get(sharedKeyOf(key)));

/**
 * From this share of its limit on, the others are told of a key, and then of each further count. Most networks and
 * addresses of a busy minute come once: to tell of each would cost the database several writes a signup.
 */
const toldFrom = 1 / 20;

/** How often something happened in one minute. */
interface Count {
  readonly key: string;
  /** Minutes since the epoch. */
  readonly minute: number;
  /** What the shared table had when it was last asked, of every replica. */
  shared: number;
  /** Sent to the table, not answered yet. */
  underWay: number;
  /** Not sent yet. */
  unsent: number;
}

/** What was counted here since the last report. */
export interface Report {
  readonly key: string;
  readonly minute: number;
  readonly count: number;
}

/** What all replicas have counted together. */
export interface SharedCount extends Report {
  /** The count of the minute before. */
  readonly before: number;
}

/** Whether one more may happen, and if not, after how many ms it may. */
export interface Verdict {
  readonly allowed: boolean;
  /** Of the last 60 seconds, this one not included where it is refused. */
  readonly total: number;
  readonly wait: number;
}

const totalOf = (count: Count | undefined) => (count ? count.shared + count.underWay + count.unsent : 0);

/**
 * Counts events of the last minute by key, and takes in what other replicas count. The minute slides: of the calendar
 * minute before, as much counts as the window still reaches into. What is refused is not counted.
 */
export class SlidingCounts {
  readonly #now: () => number;
  #minute = 0;
  #current = new Map<string, Count>();
  #previous = new Map<string, Count>();
  #changed = new Set<Count>();

  /** @param now the time in ms since the epoch; replicas' clocks agree to a second or so */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Counts one more of the key, unless `limit` of them have happened in the last minute. */
  add(key: string, limit: number): Verdict {
    const elapsed = this.#roll();
    const current = totalOf(countIn(this.#current, key));
    const previous = totalOf(countIn(this.#previous, key));
    const total = current + previous * (1 - elapsed);
    if (total + 1 > limit) return { allowed: false, total, wait: waitFor(limit, current, previous, elapsed) };
    this.#count(key, limit);
    return { allowed: true, total: total + 1, wait: 0 };
  }

  /** What the shared table has to be told, at most `most` keys; `learn` or `putBack` has to follow. */
  takeReport(most: number): readonly Report[] {
    this.#roll();
    const report: Report[] = [];
    for (const count of this.#changed) {
      if (report.length === most) break;
      this.#changed.delete(count);
      report.push({ key: count.key, minute: count.minute, count: count.unsent });
      count.underWay += count.unsent;
      count.unsent = 0;
    }
    return report;
  }

  /** Takes in the answer to a report. */
  learn(counts: readonly SharedCount[]): void {
    for (const { key, minute, count, before } of counts) {
      this.#set(key, minute, count);
      this.#atLeast(key, minute - 1, before);
    }
  }

  /** The report did not arrive: it is sent with the next one. */
  putBack(report: readonly Report[]): void {
    for (const { key, minute } of report) {
      const count = this.#windowOf(minute)?.get(key);
      if (!count) continue;
      count.unsent += count.underWay;
      count.underWay = 0;
      if (count.unsent > 0) this.#changed.add(count);
    }
  }

  #count(key: string, limit: number): void {
    let count = countIn(this.#current, key);
    if (!count) {
      const counted = this.#current.size < maxKeys ? key : sharedKeyOf(key);
      count = { key: counted, minute: this.#minute, shared: 0, underWay: 0, unsent: 0 };
      this.#current.set(counted, count);
    }
    count.unsent += 1;
    if (totalOf(count) >= limit * toldFrom) this.#changed.add(count);
  }

  #set(key: string, minute: number, shared: number): void {
    const count = this.#windowOf(minute)?.get(key);
    if (!count) return;
    count.shared = shared;
    count.underWay = 0;
  }

  /** The minute before is read as it was before the report: what the report itself has of it may be missing. */
  #atLeast(key: string, minute: number, shared: number): void {
    const window = this.#windowOf(minute);
    const count = window?.get(key);
    if (count) count.shared = Math.max(count.shared, shared);
    else if (shared > 0) window?.set(key, { key, minute, shared, underWay: 0, unsent: 0 });
  }

  #windowOf(minute: number): Map<string, Count> | undefined {
    if (minute === this.#minute) return this.#current;
    return minute === this.#minute - 1 ? this.#previous : undefined;
  }

  /** Goes on to the present minute; gives how much of it has passed, from 0 to 1. */
  #roll(): number {
    const now = this.#now();
    const minute = Math.floor(now / windowLength);
    if (minute !== this.#minute) {
      this.#previous = minute === this.#minute + 1 ? this.#current : new Map();
      this.#current = new Map();
      this.#minute = minute;
      for (const count of this.#changed) if (count.minute < minute - 1) this.#changed.delete(count);
    }
    return (now % windowLength) / windowLength;
  }
}

/** How long until one more stays within the limit, in ms, if nothing else happens meanwhile. */
function waitFor(limit: number, current: number, previous: number, elapsed: number): number {
  if (limit < 1) return windowLength;
  const left = limit - 1;
  // As the minute before fades, or, where this one alone is too much, as this one does in the next.
  const [share, past] = current <= left ? [(left - current) / previous, 0] : [left / current, 1];
  return Math.max(1, (past + 1 - share - elapsed) * windowLength);
}
