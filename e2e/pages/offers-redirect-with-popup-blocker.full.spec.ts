import type { Page } from '@playwright/test';
import { expect, stubSponsors, test } from '../support/test.ts';

// Playwright disables the popup blocker, which visitors have enabled.
test.use({
  trace: 'off',
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, ignoreDefaultArgs: ['--disable-popup-blocking'] }),
});

const destination = 'https://sponsors.daybook.example/food-benefits-guide';
const address = `/redirect?url=${encodeURIComponent(destination)}`;

const openTabs = (page: Page) =>
  page
    .context()
    .pages()
    .map((tab) => tab.url())
    .filter((url) => url !== page.url());

test('the thank-you page links a website that the timer could not open, also after a reload', async ({ page }) => {
  await stubSponsors(page);
  // Evaluates nothing in the page until then, not even a readiness check or a trace: Playwright's evaluations count as
  // user activation.
  await page.goto(address, { waitUntil: 'load' });
  await page.waitForURL('**/thank-you');
  expect(openTabs(page)).toEqual([]);
  const heldBack = page.getByRole('region', { name: 'Your browser held back this website' });
  await expect(heldBack).toBeVisible();
  await page.reload();
  const tab = page.context().waitForEvent('page');
  await heldBack.getByRole('link', { name: 'sponsors.daybook.example' }).click();
  await expect.poll(async () => (await tab).url()).toBe(destination);
});

test('“click here” opens the website despite the popup blocker', async ({ page }) => {
  await stubSponsors(page);
  await page.goto(address);
  await page.getByRole('link', { name: 'click here' }).click();
  await expect(page).toHaveURL('/thank-you');
  await expect.poll(() => openTabs(page)).toEqual([destination]);
  await expect(page.getByText(/held back/)).toHaveCount(0);
});
