import type { Page } from '@playwright/test';
import { answerSponsors, expect, test } from '../support/test.ts';

// Playwright turns the blocker off, and every visitor has it on.
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

test('a website that a timer may not open waits as a link on the thank-you page, also after a reload', async ({
  page,
}) => {
  await answerSponsors(page);
  // Nothing is asked of the page until then, not even whether it works, or for a trace: what Playwright evaluates counts
  // as a press.
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

test('“click here” opens it', async ({ page }) => {
  await answerSponsors(page);
  await page.goto(address);
  await page.getByRole('link', { name: 'click here' }).click();
  await expect(page).toHaveURL('/thank-you');
  await expect.poll(() => openTabs(page)).toEqual([destination]);
  await expect(page.getByText(/held back/)).toHaveCount(0);
});
