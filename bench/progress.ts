/** A time in words: `50 s`, or `12 min`. */
export const duration = (seconds: number): string =>
  seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

/**
 * Follows a long piece of work that is made of like steps.
 *
 * @param steps how many there are
 * @param now the time, in ms
 * @returns tells, after each step, how much time is left
 */
export function countDown(steps: number, now: () => number = () => performance.now()): () => string {
  const since = now();
  let done = 0;
  return () => {
    done += 1;
    return `${duration(((now() - since) / done / 1000) * (steps - done))} left`;
  };
}
