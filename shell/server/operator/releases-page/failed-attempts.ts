const minute = 60_000;

/** A network may fail so often within a minute. */
export const mostAttempts = 10;

/** No more networks than this are remembered: memory has an end, whoever tries. */
const mostNetworks = 3_000;

/** Counts failed attempts to sign in by network, a minute at a time. */
export class FailedAttempts {
  readonly #now: () => number;
  #failures = new Map<string, number>();
  #began = 0;

  /** @param now the time in ms since the epoch */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Seconds that this network has to wait; 0 where it may try. */
  waitOf(network: string): number {
    this.#forget();
    if ((this.#failures.get(network) ?? 0) < mostAttempts) return 0;
    return Math.max(1, Math.ceil((this.#began + minute - this.#now()) / 1000));
  }

  count(network: string): void {
    this.#forget();
    const known = this.#failures.get(network);
    if (known === undefined && this.#failures.size >= mostNetworks) return;
    this.#failures.set(network, (known ?? 0) + 1);
  }

  #forget(): void {
    if (this.#now() - this.#began < minute) return;
    this.#began = this.#now();
    this.#failures = new Map();
  }
}
