import { setTimeout as delay } from 'node:timers/promises';
import { RemoteMirror, type RemoteMirrorOptions } from './remote-mirror.ts';

/** How often something is asked, in ms. */
export interface PollOptions {
  /** Between two questions while all is well. */
  readonly interval: number;
  /** At most this long after failures: each doubles the interval. */
  readonly longestInterval: number;
  /** A number from 0 to 1, for the jitter; `Math.random` where left out. */
  readonly random?: () => number;
}

/** The time until the next question: jittered by 15 % either way, so that many askers do not ask at once. */
export function delayAfter(failures: number, { interval, longestInterval, random = Math.random }: PollOptions): number {
  const backedOff = Math.min(interval * 2 ** failures, longestInterval);
  return backedOff * (0.85 + 0.3 * random());
}

/**
 * Calls `ask` again and again, each time after the last has answered, until the signal is aborted.
 *
 * @param ask says whether all was well
 */
export function poll(ask: () => Promise<boolean>, options: PollOptions, signal: AbortSignal): void {
  let failures = 0;
  const next = () => {
    if (signal.aborted) return;
    const timer = setTimeout(
      async () => {
        signal.removeEventListener('abort', stop);
        failures = (await ask()) ? 0 : failures + 1;
        next();
      },
      delayAfter(failures, options),
    );
    const stop = () => clearTimeout(timer);
    signal.addEventListener('abort', stop, { once: true });
  };
  next();
}

/** A server that has just started serves what it has after this many ms, whether the origins have answered or not. */
const firstLookLimit = 5_000;

/** The mirrors of all remotes; no one waits for another. */
export class ReleaseMirror {
  readonly #mirrors: readonly RemoteMirror[];
  readonly #poll: PollOptions;
  readonly #stopped = new AbortController();
  /** The looks that are under way. */
  readonly #looks = new Set<Promise<boolean>>();

  constructor(remotes: readonly RemoteMirrorOptions[], pollOptions: PollOptions) {
    this.#mirrors = remotes.map((options) => new RemoteMirror(options));
    this.#poll = pollOptions;
  }

  /** Looks at every origin once, then goes on at its interval; resolves when the first look is over, or late. */
  async start(): Promise<void> {
    const { signal } = this.#stopped;
    const looks = this.#mirrors.map(async (mirror) => {
      await this.#look(mirror);
      poll(() => this.#look(mirror), this.#poll, signal);
    });
    await Promise.race([Promise.all(looks), delay(firstLookLimit, undefined, { ref: false })]);
  }

  /** Ends all looks; resolves when what was half stored is removed. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.allSettled(this.#looks);
  }

  async #look(mirror: RemoteMirror): Promise<boolean> {
    const look = mirror.look(this.#stopped.signal);
    this.#looks.add(look);
    try {
      return await look;
    } finally {
      this.#looks.delete(look);
    }
  }
}
