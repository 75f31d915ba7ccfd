const second = 1_000;
const hour = 3_600 * second;

/** After the first attempt of an event, how long it is tried for, in ms. */
export const retryPeriod = 72 * hour;
/** The delay after the first attempt, by how much each further one grows, and the longest, in ms. */
const firstDelay = 5 * second;
const growth = 3;
const longestDelay = 8 * hour;
/** Delays differ by up to a fifth either way, so that events which failed together don't all come back together. */
const jitter = 0.2;
/** The longest that a receiver can ask us to wait, in ms. */
const longestRetryAfter = 24 * hour;

/** An attempt that failed. */
export interface FailedAttempt {
  /** How many attempts there were, this one included. */
  readonly attempts: number;
  /** Since the first attempt, in ms. */
  readonly elapsed: number;
  /** What the receiver asked for, in ms. */
  readonly retryAfter?: number | undefined;
}

/**
 * The time until the next attempt, in ms; undefined where the three days are over. The last attempt is made at their
 * end, unless the receiver asked for more time.
 *
 * @param random from 0 to 1
 */
export function nextDelay({ attempts, elapsed, retryAfter = 0 }: FailedAttempt, random: number): number | undefined {
  if (elapsed >= retryPeriod) return undefined;
  const grown = Math.min(firstDelay * growth ** (attempts - 1), longestDelay);
  const scattered = Math.round(grown * (1 - jitter + 2 * jitter * random));
  const own = Math.min(scattered, Math.ceil(retryPeriod - elapsed));
  return Math.max(own, Math.min(retryAfter, longestRetryAfter));
}

/** Reads a Retry-After header, which holds seconds or a date, in ms from now; undefined where it says nothing. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * second;
  // A date without a weekday is no HTTP date, though JavaScript would read all sorts of texts as one.
  const date = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
