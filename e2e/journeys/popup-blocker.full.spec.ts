import type { Page } from '@playwright/test';
import { entriesOf } from '../support/entries.ts';
import { expect, newAddress, signUp, stubSponsors, test } from '../support/test.ts';

// Playwright disables the popup blocker, which visitors have enabled.
test.use({
  trace: 'off',
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, ignoreDefaultArgs: ['--disable-popup-blocking'] }),
});
test.beforeEach(({ page }) => stubSponsors(page));

const sponsor = (path: string) => `https://sponsors.daybook.example/${path}`;
const redirect = `/redirect?url=${encodeURIComponent(sponsor('food-benefits-guide'))}`;

const sponsorTabs = (page: Page) =>
  page
    .context()
    .pages()
    .map((tab) => tab.url())
    .filter((url) => url.startsWith('https://sponsors'))
    .sort();

test('one of three chosen offers opens, and the thank-you page links the blocked ones', async ({ page, database }) => {
  const address = newAddress();
  const id = await signUp(page, address);
  await page.goto(`/continue-registration?id=${id}&email=${encodeURIComponent(address)}`);
  for (const name of [/food benefits/i, /home security/i, /gift card/i])
    await page.getByRole('checkbox', { name }).check();
  await page.getByRole('button', { name: 'Continue with selected offers' }).click();
  await page.waitForURL(/\/thank-you\?/);
  await expect.poll(() => sponsorTabs(page)).toEqual([sponsor('food-benefits-guide')]);

  const heldBack = page.getByRole('region', { name: /held back/i });
  await expect(heldBack.getByRole('link')).toHaveCount(2);
  await page.reload();
  await expect(heldBack.getByRole('link')).toHaveCount(2);
  for (const link of await heldBack.getByRole('link').all()) {
    const tab = page.context().waitForEvent('page');
    await link.click();
    await (await tab).waitForLoadState();
  }
  const all = ['food-benefits-guide', 'home-internet', 'home-security'].map(sponsor);
  await expect.poll(() => sponsorTabs(page)).toEqual(all);
  await expect.poll(() => entriesOf(database, address)).toMatchObject([{ offers: ['grocery', 'vivint', 'tmobile'] }]);
});

test('the thank-you page links a website that the timer could not open, also after a reload', async ({ page }) => {
  // Evaluates nothing in the page until then, not even a readiness check or a trace: Playwright's evaluations count as
  // user activation.
  await page.goto(redirect, { waitUntil: 'load' });
  await page.waitForURL('**/thank-you');
  expect(sponsorTabs(page)).toEqual([]);
  const heldBack = page.getByRole('region', { name: 'Your browser held back this website' });
  await expect(heldBack).toBeVisible();
  await page.reload();
  await heldBack.getByRole('link', { name: 'sponsors.daybook.example' }).click();
  await expect.poll(() => sponsorTabs(page)).toEqual([sponsor('food-benefits-guide')]);
});
