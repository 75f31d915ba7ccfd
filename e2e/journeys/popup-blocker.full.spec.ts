import { entriesOf } from '../support/entries.ts';
import { expect, newEmail, signUp, stubSponsors, test } from '../support/test.ts';

// Playwright disables the popup blocker, which visitors have enabled.
test.use({
  trace: 'off',
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, ignoreDefaultArgs: ['--disable-popup-blocking'] }),
});

test('one of three chosen offers opens, and the thank-you page links the blocked ones', async ({ page, database }) => {
  await stubSponsors(page);
  const sponsorTabs = () => {
    const addresses = page
      .context()
      .pages()
      .map((tab) => new URL(tab.url()));
    return addresses.filter(({ host }) => host === 'sponsors.daybook.example').map(({ pathname }) => pathname);
  };
  const readerEmail = newEmail();
  const id = await signUp(page, readerEmail);
  await page.goto(`/continue-registration?id=${id}&email=${encodeURIComponent(readerEmail)}`);
  for (const name of [/food benefits/i, /home security/i, /gift card/i])
    await page.getByRole('checkbox', { name }).check();
  await page.getByRole('button', { name: 'Continue with selected offers' }).click();
  await page.waitForURL(/\/thank-you\?/);
  await expect.poll(sponsorTabs).toEqual(['/food-benefits-guide']);

  const heldBack = page.getByRole('region', { name: /Your browser blocked/ }).getByRole('link');
  await expect(heldBack).toHaveCount(2);
  await page.reload();
  await expect(heldBack).toHaveCount(2);
  for (const link of await heldBack.all()) {
    const tab = page.context().waitForEvent('page');
    await link.click();
    await (await tab).waitForLoadState();
  }
  await expect.poll(sponsorTabs).toEqual(['/food-benefits-guide', '/home-security', '/home-internet']);
  await expect
    .poll(() => entriesOf(database, readerEmail))
    .toMatchObject([{ offers: ['grocery', 'vivint', 'tmobile'] }]);
});
