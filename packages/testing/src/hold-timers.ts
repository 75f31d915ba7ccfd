const hour = 3_600_000;

type Delays = readonly [held: readonly number[], longer: number];

interface Page {
  evaluate(run: (delays: Delays) => void, delays: Delays): Promise<unknown>;
}

/**
 * Extends timers of exactly these delays, in ms, to an hour from now on. Not a stopped `page.clock`: that stops every
 * timer of the page, including axe's.
 */
export async function holdTimers(page: Page, ...delays: readonly number[]): Promise<void> {
  await page.evaluate(
    ([held, longer]) => {
      const start = window.setTimeout;
      const startHeld = (handler: TimerHandler, delay?: number, ...parameters: unknown[]) =>
        start(handler, held.includes(delay ?? 0) ? longer : delay, ...parameters);
      window.setTimeout = startHeld as typeof window.setTimeout;
    },
    [delays, hour],
  );
}
