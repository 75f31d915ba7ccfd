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
