import { entriesOf } from '../support/entries.ts';
import { expect, newAddress, signUp, stubSponsors, test } from '../support/test.ts';

// Playwright disables the popup blocker, which visitors have enabled.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, ignoreDefaultArgs: ['--disable-popup-blocking'] }),
});

test('one of three chosen offers opens, and the thank-you page links the blocked ones', async ({ page, database }) => {
  await stubSponsors(page);
  const address = newAddress();
  const id = await signUp(page, address);
  await page.goto(`/continue-registration?id=${id}&email=${encodeURIComponent(address)}`);
  for (const name of [/food benefits/i, /home security/i, /gift card/i])
    await page.getByRole('checkbox', { name }).check();
  await page.getByRole('button', { name: 'Continue with selected offers' }).click();
  await page.waitForURL(/\/thank-you\?/);

  const sponsorTabs = () =>
    page
      .context()
      .pages()
      .map((tab) => tab.url())
      .filter((url) => url.startsWith('https://sponsors'));
  await expect.poll(sponsorTabs).toEqual(['https://sponsors.daybook.example/food-benefits-guide']);

  const heldBack = page.getByRole('region', { name: /held back/i });
  await expect(heldBack.getByRole('link')).toHaveCount(2);
  await page.reload();
  await expect(heldBack.getByRole('link')).toHaveCount(2);
  for (const link of await heldBack.getByRole('link').all()) {
    const tab = page.context().waitForEvent('page');
    await link.click();
    await (await tab).waitForLoadState();
  }
  await expect
    .poll(() => sponsorTabs().sort())
    .toEqual(
      ['food-benefits-guide', 'home-internet', 'home-security'].map(
        (path) => `https://sponsors.daybook.example/${path}`,
      ),
    );
  await expect.poll(() => entriesOf(database, address)).toMatchObject([{ offers: ['grocery', 'vivint', 'tmobile'] }]);
});
