import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Release, releaseFileName } from '@daybook/contract';
import type { Page } from '@playwright/test';
import { remotes, root } from '../../scripts/workspaces.ts';
import { layoutShift, recordLayoutShifts } from '../support/layout-shifts.ts';
import { expect, test } from '../support/test.ts';

const releaseOf = (remote: string): Release =>
  JSON.parse(readFileSync(path.join(root, remote, 'dist', releaseFileName), 'utf8'));

const routes = remotes.flatMap((remote) => releaseOf(remote).routes.map(({ path: route }) => ({ remote, route })));

/** Addresses whose page is another one than that without a query, which would lead on. */
const queries: Readonly<Record<string, string>> = { '/redirect': '?url=https%3A%2F%2Fsponsors.daybook.example%2F' };

/** Pages that are complete only for a visitor whom their address names. */
const neutral = ['/continue-registration', '/thank-you', '/redirect'];

const hydrated = (page: Page) =>
  expect.poll(() => page.locator('#root').evaluate((element) => Object.keys(element).length)).toBeGreaterThan(0);

/** Without the year, which only the visitor's clock knows, and without the notes for who has no JavaScript. */
function mainText(page: Page): Promise<string> {
  return page.locator('main').evaluate((main) => {
    for (const note of main.querySelectorAll('noscript')) note.remove();
    return (main.textContent ?? '').replace(/©\s*(?:\d{4})?\s*/, '© ');
  });
}

test('the site has 20 routes', () => {
  expect(routes).toHaveLength(20);
});

for (const { remote, route } of routes) {
  const address = route + (queries[route] ?? '');

  test.describe(`${route} without JavaScript`, () => {
    test.use({ javaScriptEnabled: false });

    test('is there: its heading, its frame, its release', async ({ page }) => {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('[data-remote]')).toHaveAttribute('data-remote', new RegExp(`^${remote}@`));
      await expect(page.getByText('needs JavaScript to be shown')).toHaveCount(0);
    });
  });

  test(`${route} reads the same with and without JavaScript`, async ({ page, browser, baseURL }) => {
    test.skip(neutral.includes(route), 'is complete for a visitor whom its address names');
    const plain = await browser.newPage({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
    await plain.goto(address);
    await page.goto(address);
    await hydrated(page);
    expect(await mainText(page)).toBe(await mainText(plain));
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
      await recordLayoutShifts(page);
      await page.goto(address);
      await hydrated(page);
      await expect.poll(() => consoleLines.length).toBeGreaterThan(0);
      await page.evaluate(() => document.fonts.ready);
      expect(consoleLines).toEqual([address]);
      expect(await layoutShift(page)).toEqual([]);
    });
  }
}
