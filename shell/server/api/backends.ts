import { setTimeout as delay } from 'node:timers/promises';
import { types } from 'node:util';

/** How often each backend is polled, in ms. */
const interval = 1_000;

/** In ms; a backend that exceeds it is not ready. */
const timeout = 3_000;

/** The API's backends, all on one database, and their readiness. */
export class Backends {
  readonly #addresses: readonly string[];
  readonly #report: (change: string) => void;
  readonly #ready: Set<string>;
  readonly #stopped = new AbortController();
  #turn = 0;

  /** @param report called when a backend becomes not ready, and when it is ready again */
  constructor(addresses: readonly string[], report: (change: string) => void) {
    this.#addresses = addresses;
    this.#report = report;
    // Assumed ready until the first poll.
    this.#ready = new Set(addresses);
  }

  states(): readonly { readonly address: string; readonly isReady: boolean }[] {
    return this.#addresses.map((address) => ({ address, isReady: this.#ready.has(address) }));
  }

  /** Returns the backends in the order to try: the ready ones round-robin, then the others. */
  inTurn(): string[] {
    const first = this.#turn++ % this.#addresses.length;
    const rotated = [...this.#addresses.slice(first), ...this.#addresses.slice(0, first)];
    const others = rotated.filter((address) => !this.#ready.has(address));
    return [...rotated.filter((address) => this.#ready.has(address)), ...others];
  }

  /** Marks a backend as not ready until its next successful poll: it gets requests only if no other is ready. */
  setAside(address: string): void {
    this.#set(address, false);
  }

  /** Polls every backend until `stop()`. */
  watch(): void {
    for (const address of this.#addresses) void this.#watch(address);
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #watch(address: string): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const isReady = await this.#poll(address);
      if (signal.aborted) return;
      this.#set(address, isReady);
      await delay(interval, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #poll(address: string): Promise<boolean> {
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(timeout)]);
    try {
      const response = await fetch(new URL('/readyz', address), { signal, redirect: 'error' });
      await response.body?.cancel();
      return response.ok;
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

/** System calls of a socket that fail before it is connected. */
const connecting = new Set(['connect', 'getaddrinfo']);

/** Returns whether a request's error rules out that any byte of it arrived. */
export function wasNeverSent(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  // A name with several addresses fails with one error for each.
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.every(wasNeverSent);
  return 'syscall' in error && connecting.has(String(error.syscall));
}
