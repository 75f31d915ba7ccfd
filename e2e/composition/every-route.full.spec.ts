import { siteRoutes } from '@daybook/testing/routes';
import type { Page } from '@playwright/test';
import { arriveRecordingShifts, layoutShift } from '../support/layout-shifts.ts';
import { expect, test } from '../support/test.ts';

/** Pages that are complete only for a visitor whom their address names, with what they tell who has no JavaScript. */
const neutral: Readonly<Record<string, readonly string[]>> = {
  '/continue-registration': ['Free hearing test, and save $799', 'Without it you miss nothing else'],
  '/thank-you': ['What happens next'],
  '/redirect': ['please use the address of the website itself'],
};

/** Without the year, which only the visitor's clock knows, and without the notes for who has no JavaScript. */
function mainText(page: Page): Promise<string> {
  return page.locator('main').evaluate((main) => {
    for (const note of main.querySelectorAll('noscript')) note.remove();
    return (main.textContent ?? '').replace(/©\s*(?:\d{4})?\s*/, '© ');
  });
}

test('the site has 20 routes', () => {
  expect(siteRoutes()).toHaveLength(20);
});

for (const { remote, path: route, address } of siteRoutes()) {
  test(`${route} is there without JavaScript, and reads fully`, async ({ page, browser, baseURL }) => {
    const plain = await browser.newPage({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
    await plain.goto(address);
    await expect(plain.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(plain.locator('[data-remote]')).toHaveAttribute('data-remote', new RegExp(`^${remote}@`));
    await expect(plain.getByText('needs JavaScript to be shown')).toHaveCount(0);
    const words = neutral[route];
    if (words) {
      // Playwright's matching by text leaves out what stands in a noscript.
      const text = await plain.locator('main').textContent();
      for (const each of words) expect(text).toContain(each);
    } else {
      await page.goto(address);
      expect(await mainText(page)).toBe(await mainText(plain));
    }
    await plain.close();
  });

  for (const [size, viewport] of [
    ['phone', { width: 390, height: 844 }],
    ['desktop', { width: 1280, height: 800 }],
  ] as const) {
    test(`${route} hydrates on a ${size}: nothing in the console but its path, nothing moves`, async ({
      page,
      consoleLines,
    }) => {
      await page.setViewportSize(viewport);
      await arriveRecordingShifts(page, address);
      await expect.poll(() => consoleLines.length).toBeGreaterThan(0);
      expect(consoleLines).toEqual([address]);
      expect(await layoutShift(page)).toEqual([]);
    });
  }
}
