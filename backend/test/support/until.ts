import { setTimeout as delay } from 'node:timers/promises';

/** How long something that happens in the background may take, in ms. */
const patience = 25_000;

/** Looks again and again until there is something to see, and gives it. */
export async function until<Result>(what: string, look: () => Promise<Result | undefined | false>): Promise<Result> {
  const limit = Date.now() + patience;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > limit) throw new Error(`Within ${patience / 1000} s it was not seen that ${what}.`);
    await delay(20);
  }
}
