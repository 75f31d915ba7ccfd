import { expect, stubSponsors, test } from '../support/test.ts';

test.beforeEach(({ page }) => stubSponsors(page));

test('the senior guide is downloaded with its name, and cached', async ({ page }) => {
  await page.goto('/ebook-download?email=first.last%2Btag%40example.com');
  await expect(page.getByText('Guide for:')).toHaveText('Guide for: first.last+tag@example.com');
  const link = page.getByRole('link', { name: 'Download the free guide' });
  const [file] = await Promise.all([page.waitForEvent('download'), link.press('Enter')]);
  expect(file.suggestedFilename()).toBe('senior-savings-guide.pdf');
  const response = await page.request.get((await link.getAttribute('href')) ?? '');
  expect((await response.body()).subarray(0, 5).toString()).toBe('%PDF-');
  expect(response.headers()).toMatchObject({
    'content-type': 'application/pdf',
    'cache-control': expect.stringContaining('immutable'),
  });
});

test('the redirect page opens the website in a new tab, and Back skips the countdown', async ({ page }) => {
  const destination = 'https://sponsors.daybook.example/food-benefits-guide';
  const start = Date.now();
  await page.clock.install({ time: start });
  await page.goto('/terms');
  await page.clock.pauseAt(start + 60_000);
  // Client-side navigation, so that the countdown starts with a stopped clock.
  await page.evaluate((to) => {
    const href = `/redirect?url=${encodeURIComponent(to)}`;
    document
      .querySelector('main')
      ?.append(Object.assign(document.createElement('a'), { href, textContent: 'redirect' }));
  }, destination);
  await page.getByRole('link', { name: 'redirect', exact: true }).click();
  const bar = page.getByRole('progressbar', { name: 'Time until the website opens' });
  await expect(page.getByText('Opens in 4 seconds')).toBeVisible();
  await page.clock.runFor(1900);
  await expect(page.getByText('Opens in 3 seconds')).toBeVisible();
  await expect(bar).toHaveJSProperty('value', 1900);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect(bar).toHaveJSProperty('value', 1000);

  const tab = page.context().waitForEvent('page');
  await page.clock.runFor(2100);
  await expect(page).toHaveURL('/thank-you');
  await expect.poll(async () => (await tab).url()).toBe(destination);
  expect(await (await tab).evaluate(() => [opener, document.referrer])).toEqual([null, '']);
  await page.goBack();
  await expect(page).toHaveURL('/terms');
});
