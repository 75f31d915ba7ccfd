/** Wrong tokens that a network may send within a minute. */
export const maxFailures = 10;

/** Networks whose failures are counted within a minute: 100,000 take about 10 MB. */
export const maxNetworks = 100_000;

/** Networks that are remembered for a right token. */
const maxKnown = 1_000;

const minute = 60_000;

/**
 * Counts wrong operator tokens by network, a minute at a time. Fails closed: while the table is full, a network that is
 * not in it has to wait, unless it sent a right token before. So a flood from very many networks keeps out neither the
 * operators at work nor Prometheus.
 */
export class FailedAttempts {
  readonly #now: () => number;
  readonly #known = new Set<string>();
  #failures = new Map<string, number>();
  #start = 0;

  /** @param now the time in ms since the epoch */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Returns the seconds for which this network has to wait; 0 where it may try a token. */
  waitOf(network: string): number {
    if (this.#now() - this.#start >= minute) {
      this.#start = this.#now();
      this.#failures = new Map();
    }
    const failures = this.#failures.get(network);
    const isCountable = failures !== undefined || this.#failures.size < maxNetworks || this.#known.has(network);
    if (isCountable && (failures ?? 0) < maxFailures) return 0;
    return Math.max(1, Math.ceil((this.#start + minute - this.#now()) / 1000));
  }

  /** Counts a wrong token, of a network that did not have to wait. */
  count(network: string): void {
    this.#failures.set(network, (this.#failures.get(network) ?? 0) + 1);
  }

  /** Remembers a network that sent a right token. */
  remember(network: string): void {
    this.#known.delete(network);
    this.#known.add(network);
    const [oldest] = this.#known;
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
  }
}
