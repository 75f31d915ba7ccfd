import type { Page } from '@playwright/test';

const hour = 3_600_000;

/**
 * Lets timers of exactly these delays, in ms, wait for an hour instead, from now on: the state that such a timer
 * would end stays for as long as it is looked at. A stopped `page.clock` holds it as well, but it stops every timer of
 * the page, also those of what looks at it: axe waits for its own and never comes to an end.
 */
export async function holdTimers(page: Page, ...delays: readonly number[]): Promise<void> {
  await page.evaluate(
    ([held, longer]) => {
      const start = window.setTimeout;
      const startHeld = (handler: TimerHandler, delay?: number, ...parameters: unknown[]) =>
        start(handler, held.includes(delay ?? 0) ? longer : delay, ...parameters);
      window.setTimeout = startHeld as typeof window.setTimeout;
    },
    [delays, hour] as const,
  );
}
