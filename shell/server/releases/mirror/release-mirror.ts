import { setTimeout as delay } from 'node:timers/promises';
import { RemoteMirror, type RemoteMirrorOptions } from './remote-mirror.ts';

/** How often an origin is polled, in ms. */
export interface PollOptions {
  /** Between two polls while all is well. */
  readonly interval: number;
  /** At most this long after failures: each doubles the interval. */
  readonly maxInterval: number;
  /** A number from 0 to 1, for the jitter; `Math.random` by default. */
  readonly random?: () => number;
}

/** The time until the next poll: jittered by 15 % either way, so that many servers do not poll at once. */
export function delayAfter(failures: number, { interval, maxInterval, random = Math.random }: PollOptions): number {
  const backedOff = Math.min(interval * 2 ** failures, maxInterval);
  return backedOff * (0.85 + 0.3 * random());
}

/**
 * Polls until the signal is aborted, each time after the last poll has ended.
 *
 * @param ask returns whether all was well
 */
export async function poll(
  ask: () => Promise<boolean>,
  options: PollOptions,
  signal: AbortSignal,
  wait: (ms: number) => Promise<unknown> = (ms) => delay(ms, undefined, { signal }).catch(() => undefined),
): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    failures = (await ask()) ? 0 : failures + 1;
    if (!signal.aborted) await wait(delayAfter(failures, options));
  }
}

/** A server that has just started serves what it has after this many ms, whether the origins have answered or not. */
const startTimeout = 5_000;

/** The mirrors of all remotes; no one waits for another. */
export class ReleaseMirror {
  readonly #mirrors: readonly RemoteMirror[];
  readonly #poll: PollOptions;
  readonly #stopped = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(remotes: readonly RemoteMirrorOptions[], pollOptions: PollOptions) {
    this.#mirrors = remotes.map((options) => new RemoteMirror(options));
    this.#poll = pollOptions;
  }

  /** Polls every origin, and goes on at its interval; resolves when the first polls are over, or late. */
  async start(): Promise<void> {
    const { signal } = this.#stopped;
    const runs = this.#mirrors.map((mirror) => {
      const first = Promise.withResolvers<void>();
      const ask = () => mirror.look(signal).finally(first.resolve);
      return { first: first.promise, all: poll(ask, this.#poll, signal) };
    });
    this.#running = Promise.all(runs.map(({ all }) => all));
    await Promise.race([Promise.all(runs.map(({ first }) => first)), delay(startTimeout, undefined, { ref: false })]);
  }

  /** Ends all polls; resolves when what was half stored is removed. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }
}
