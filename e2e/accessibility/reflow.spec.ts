import type { Page } from '@playwright/test';
import { causedByPageStates, pageStates } from '../support/page-states.ts';
import { expect, test } from '../support/test.ts';

const cases = [
  { width: 320, textSize: '100%' },
  { width: 320, textSize: '200%' },
  { width: 1280, textSize: '200%' },
  { width: 1920, textSize: '100%' },
] as const;

/**
 * Elements that stick out of the page, and boxes that what is in them sticks out of; what is meant to scroll by itself
 * does not count. The page ends where the room of the scroll bar begins, also where the bar itself is hidden.
 */
async function sticksOut(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { right } = document.body.getBoundingClientRect();
    const isBox = (element: Element) =>
      element.clientWidth > 1 && getComputedStyle(element).display !== 'inline' && !element.matches('input, textarea');
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility() && !element.closest('[data-scrolls], svg, [aria-hidden="true"]'))
      .filter(
        (element) =>
          element.getBoundingClientRect().right > right + 1 ||
          (isBox(element) && element.scrollWidth > element.clientWidth + 1),
      )
      .map((element) => `${element.tagName.toLowerCase()}.${element.className}: ${element.textContent?.slice(0, 40)}`);
  });
}

// A turning spinner's corners stick out of it for moments.
test.use({ ...causedByPageStates, contextOptions: { reducedMotion: 'reduce' } });

for (const { name, path, arrive } of pageStates) {
  test(`nothing is cut off and nothing scrolls sideways on ${name}`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await arrive?.(page);
    for (const { width, textSize } of cases) {
      const description = `${width} px wide with text at ${textSize}`;
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), textSize);
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(beyond, description).toBeLessThanOrEqual(0);
      expect(await sticksOut(page), description).toEqual([]);
    }
  });
}
