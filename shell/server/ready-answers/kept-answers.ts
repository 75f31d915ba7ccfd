/** An answer is kept for this many ms: so soon is seen what only the disk tells, such as a release that is gone. */
const lifetime = 1_000;

/** What an answer takes beside its key and body, about, in bytes. */
const overhead = 2_000;

interface Answer {
  readonly body: Buffer | undefined;
}

interface Kept<T> {
  readonly answer: T;
  /** In bytes. */
  readonly size: number;
  /** In ms, by the clock of whoever keeps it. */
  readonly at: number;
}

/** Answers by key, each for a second; where they need too much memory, the oldest go first. */
export class KeptAnswers<T extends Answer> {
  // The oldest first: what is kept anew goes to the end.
  readonly #kept = new Map<string, Kept<T>>();
  readonly #memory: number;
  #used = 0;

  /** @param memory in bytes */
  constructor(memory: number) {
    this.#memory = memory;
  }

  /** @param now the time in ms */
  find(key: string, now: number): T | undefined {
    const kept = this.#kept.get(key);
    return kept && now - kept.at < lifetime ? kept.answer : undefined;
  }

  keep(key: string, answer: T, now: number): void {
    this.forget(key);
    const size = overhead + 2 * key.length + (answer.body?.length ?? 0);
    this.#kept.set(key, { answer, size, at: now });
    this.#used += size;
    for (const [oldest, { at }] of this.#kept) {
      if (this.#used <= this.#memory && now - at < lifetime) break;
      this.forget(oldest);
    }
  }

  forget(key: string): void {
    this.#used -= this.#kept.get(key)?.size ?? 0;
    this.#kept.delete(key);
  }
}
