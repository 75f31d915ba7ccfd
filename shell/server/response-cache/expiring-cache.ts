/** A response is kept for this many ms: so soon is seen what only the disk tells, such as a release that is gone. */
const lifetime = 1_000;

/** What a response takes beside its key and body, about, in bytes. */
const overhead = 2_000;

interface WithBody {
  readonly body: Buffer | undefined;
}

interface Entry<T> {
  readonly response: T;
  /** In bytes. */
  readonly size: number;
  /** In ms, by the clock of whoever keeps it. */
  readonly at: number;
}

/** Responses by key, each for a second; where they need too much memory, the oldest go first. */
export class ExpiringCache<T extends WithBody> {
  // The oldest first: what is kept anew goes to the end.
  readonly #entries = new Map<string, Entry<T>>();
  readonly #memory: number;
  #used = 0;

  /** @param memory in bytes */
  constructor(memory: number) {
    this.#memory = memory;
  }

  /** @param now the time in ms */
  find(key: string, now: number): T | undefined {
    const entry = this.#entries.get(key);
    return entry && now - entry.at < lifetime ? entry.response : undefined;
  }

  keep(key: string, response: T, now: number): void {
    this.forget(key);
    const size = overhead + 2 * key.length + (response.body?.length ?? 0);
    this.#entries.set(key, { response, size, at: now });
    this.#used += size;
    for (const [oldest, { at }] of this.#entries) {
      if (this.#used <= this.#memory && now - at < lifetime) break;
      this.forget(oldest);
    }
  }

  forget(key: string): void {
    this.#used -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}
