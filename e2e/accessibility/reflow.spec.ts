import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

const pages = [
  '/',
  '/continue-registration?id=7',
  '/continue-registration',
  '/thank-you',
  '/ebook-download',
  '/redirect?url=https%3A%2F%2Fexample.com',
  '/offer-landing/emergency-pendant',
  '/offer-landing/dental-savings',
  '/offer-landing/hearing-aids',
  '/terms',
  '/privacy-policy',
  '/california-privacy-notice',
  '/e-consent',
  '/unsubscribe',
  '/cookie-policy',
  '/ca-unsubscribe',
  '/privacy-rights-request',
  '/profiling-opt-out',
  '/targeted-opt-out',
  '/limit-sensitive-info',
  '/accessible-view',
];

const cases = [
  { name: '320 px wide', width: 320, textSize: '100%' },
  { name: '1280 px wide with text at 200 %', width: 1280, textSize: '200%' },
  { name: '1920 px wide', width: 1920, textSize: '100%' },
] as const;

/** Elements that stick out of the window; what is meant to scroll by itself does not count. */
async function sticksOut(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { clientWidth } = document.documentElement;
    const scrollsItself = (element: Element) => element.closest('[data-scrolls]') !== null;
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility() && !scrollsItself(element))
      .filter(
        (element) =>
          element.getBoundingClientRect().right > clientWidth + 1 &&
          element.closest('svg, [aria-hidden="true"]') === null,
      )
      .map((element) => `${element.tagName.toLowerCase()}.${element.className}: ${element.textContent?.slice(0, 40)}`);
  });
}

for (const { name, width, textSize } of cases) {
  test(`nothing is cut off and no page scrolls sideways, ${name}`, async ({ page }) => {
    test.setTimeout(120_000);
    await page.setViewportSize({ width, height: 800 });
    for (const path of pages) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), textSize);
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(beyond, path).toBeLessThanOrEqual(0);
      expect(await sticksOut(page), path).toEqual([]);
    }
  });
}
