import type { Page } from '@playwright/test';

/** Holds the shell's scripts from now on, as a slow network does; returns a function that releases them. */
export async function holdScripts(page: Page): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await released.promise;
    await route.continue();
  });
  return released.resolve;
}
