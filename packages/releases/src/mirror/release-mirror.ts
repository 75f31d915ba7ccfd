import { setTimeout as delay } from 'node:timers/promises';
import type { MirrorOptions } from './release-intake.ts';
import { RemoteMirror } from './remote-mirror.ts';

/** Limit of the backoff, in poll intervals: each failure doubles the interval. */
const maxBackoff = 10;

/**
 * Polls until the signal is aborted, with backoff after failures of the origin or the disk, and with a jitter of ±15 %, so
 * that many servers do not poll at once; polls never overlap.
 *
 * @param pollOnce returns whether the origin delivered a release, accepted or rejected
 * @param interval in ms, between two successful polls
 */
export async function poll(
  pollOnce: () => Promise<boolean>,
  interval: number,
  signal: AbortSignal,
  wait: (ms: number) => Promise<unknown> = (ms) => delay(ms, undefined, { signal }).catch(() => undefined),
): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    failures = (await pollOnce()) ? 0 : failures + 1;
    const jitter = 0.85 + 0.3 * Math.random();
    if (!signal.aborted) await wait(interval * Math.min(2 ** failures, maxBackoff) * jitter);
  }
}

/** In ms: a starting server waits this long for the first polls, then serves the stored releases. */
const startTimeout = 5_000;

/** The mirrors of all remotes; they poll independently, and previews apart from releases. */
export class ReleaseMirror {
  readonly #mirrors: readonly RemoteMirror[];
  readonly #interval: number;
  readonly #stopped = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  /** @param interval between two polls of an origin, in ms */
  constructor(remotes: readonly MirrorOptions[], interval: number) {
    this.#mirrors = remotes.map((options) => new RemoteMirror(options));
    this.#interval = interval;
  }

  /**
   * Polls every origin until `stop()`; resolves when the first polls of the releases have ended, or after a timeout.
   */
  async start(): Promise<void> {
    const { signal } = this.#stopped;
    const runs = this.#mirrors.map((mirror) => {
      const first = Promise.withResolvers<void>();
      const pollOnce = () => mirror.poll(signal).finally(first.resolve);
      return { first: first.promise, all: poll(pollOnce, this.#interval, signal) };
    });
    const previews = this.#mirrors.map((mirror) => poll(() => mirror.pollPreview(signal), this.#interval, signal));
    this.#running = Promise.all([...runs.map(({ all }) => all), ...previews]);
    await Promise.race([Promise.all(runs.map(({ first }) => first)), delay(startTimeout, undefined, { ref: false })]);
  }

  /** Ends all polls; resolves when partly stored releases are removed. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }
}
