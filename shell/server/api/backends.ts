import { setTimeout as delay } from 'node:timers/promises';
import { types } from 'node:util';

/** How often each backend is polled, in ms. */
const interval = 1_000;

/** In ms; a backend that does not respond in time is not ready. */
const timeout = 3_000;

/** The backends that answer the API, all on one database, and which of them are ready. */
export class Backends {
  readonly #addresses: readonly string[];
  readonly #report: (problem: string) => void;
  readonly #ready: Set<string>;
  readonly #stopped = new AbortController();
  #turn = 0;

  /** @param report called when a backend is no longer ready, and when it is again */
  constructor(addresses: readonly string[], report: (change: string) => void) {
    this.#addresses = addresses;
    this.#report = report;
    // Whoever has not been asked yet may well be.
    this.#ready = new Set(addresses);
  }

  states(): readonly { readonly address: string; readonly isReady: boolean }[] {
    return this.#addresses.map((address) => ({ address, isReady: this.#ready.has(address) }));
  }

  /** The backends in the order in which a request should try them: the ready ones by turns, then the others. */
  inTurn(): string[] {
    const first = this.#turn++ % this.#addresses.length;
    const rotated = [...this.#addresses.slice(first), ...this.#addresses.slice(0, first)];
    const others = rotated.filter((address) => !this.#ready.has(address));
    return [...rotated.filter((address) => this.#ready.has(address)), ...others];
  }

  /** Sends requests to a backend only where no other is ready, until it says again that it is. */
  setAside(address: string): void {
    this.#set(address, false);
  }

  /** Asks every backend from now on, until `stop()`. */
  watch(): void {
    for (const address of this.#addresses) void this.#watch(address);
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #watch(address: string): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const isReady = await this.#ask(address);
      if (signal.aborted) return;
      this.#set(address, isReady);
      await delay(interval, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #ask(address: string): Promise<boolean> {
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(timeout)]);
    try {
      const answer = await fetch(new URL('/readyz', address), { signal, redirect: 'error' });
      await answer.body?.cancel();
      return answer.ok;
    } catch {
      return false;
    }
  }

  #set(address: string, isReady: boolean): void {
    if (this.#ready.has(address) === isReady) return;
    if (isReady) this.#ready.add(address);
    else this.#ready.delete(address);
    this.#report(`The backend at ${address} is ${isReady ? 'ready again' : 'not ready'}.`);
  }
}

/** What a socket was at when it failed before a connection was there. */
const connecting = new Set(['connect', 'getaddrinfo']);

/** Whether an error of a request says that not a byte of it can have arrived. */
export function wasNeverSent(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  // A name with several addresses fails with the failure of each.
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.every(wasNeverSent);
  return 'syscall' in error && connecting.has(String(error.syscall));
}
