import { siteRoutes } from '@daybook/testing/routes';
import type { Page } from '@playwright/test';
import { arriveRecordingShifts, layoutShift } from '../support/layout-shifts.ts';
import { expect, test } from '../support/test.ts';

/** Pages that are complete only with a query in their address, with the notes that they show without JavaScript. */
const neutral: Readonly<Record<string, readonly string[]>> = {
  '/continue-registration': ['Free hearing test, and save $799', 'Without it you miss nothing else'],
  '/thank-you': ['What happens next'],
  '/redirect': ['please use the address of the website itself'],
};

/** Returns the text without the year, which depends on the visitor's clock, and without `noscript` notes. */
function mainText(page: Page): Promise<string> {
  return page.locator('main').evaluate((main) => {
    for (const note of main.querySelectorAll('noscript')) note.remove();
    return (main.textContent ?? '').replace(/©\s*(?:\d{4})?\s*/, '© ');
  });
}

for (const { remote, path: route, address } of siteRoutes()) {
  /** Opens the page as a new visitor, and expects that hydration changes nothing visible. */
  async function expectCalmHydration(page: Page, consoleLines: readonly string[]): Promise<void> {
    await arriveRecordingShifts(page, address);
    await expect.poll(() => consoleLines.length).toBeGreaterThan(0);
    await expect.poll(() => consoleLines).toEqual([address]);
    expect(await layoutShift(page)).toEqual([]);
  }

  test(`${route} shows its complete text without JavaScript, and hydrates without layout shift`, async ({
    page,
    browser,
    baseURL,
    consoleLines,
  }) => {
    const plain = await browser.newPage({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
    await plain.goto(address);
    await expect(plain.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(plain.locator('[data-remote]')).toHaveAttribute('data-remote', new RegExp(`^${remote}@`));
    await expect(plain.getByText('needs JavaScript to be shown')).toHaveCount(0);
    await expectCalmHydration(page, consoleLines);
    const words = neutral[route];
    if (words) {
      // Playwright's text matching ignores the content of noscript.
      const text = await plain.locator('main').textContent();
      for (const each of words) expect(text).toContain(each);
    } else {
      expect(await mainText(page)).toBe(await mainText(plain));
    }
    await plain.close();
  });

  test(`${route} hydrates on a phone without layout shift`, async ({ page, consoleLines }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expectCalmHydration(page, consoleLines);
  });
}
