import { setTimeout as delay } from 'node:timers/promises';

/** Timeout for background work, in ms. */
const timeout = 25_000;

/** Polls until there is a result, and returns it. Throws after the timeout. */
export async function until<Result>(what: string, poll: () => Promise<Result | undefined | false>): Promise<Result> {
  const limit = Date.now() + timeout;
  for (;;) {
    const result = await poll();
    if (result !== undefined && result !== false) return result;
    if (Date.now() > limit) throw new Error(`Within ${timeout / 1000} s it did not happen that ${what}.`);
    await delay(20);
  }
}
