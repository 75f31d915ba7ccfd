import { readFile } from 'node:fs/promises';
import { expect, stubSponsors, test } from '../support/test.ts';

test.beforeEach(({ page }) => stubSponsors(page));

test('the senior guide names its recipient, and downloads a PDF with the stated size and number of pages', async ({
  page,
}) => {
  await page.goto('/ebook-download?email=first.last%2Btag%40example.com');
  await expect(page.getByText('Guide for:')).toHaveText('Guide for: first.last+tag@example.com');
  const link = page.getByRole('link', { name: 'Download the free guide' });
  const [file] = await Promise.all([page.waitForEvent('download'), link.press('Enter')]);
  expect(file.suggestedFilename()).toBe('senior-savings-guide.pdf');
  const content = await readFile(await file.path());
  expect(content.subarray(0, 5).toString()).toBe('%PDF-');
  const pages = content.toString('latin1').match(/\/Type \/Page\n/g)?.length ?? 0;
  await expect(page.getByText(`PDF, ${pages} pages, ${Math.ceil(content.length / 1000)} kB`)).toBeVisible();
  const response = await page.request.get((await link.getAttribute('href')) ?? '');
  expect(response.headers()).toMatchObject({
    'content-type': 'application/pdf',
    'cache-control': expect.stringContaining('immutable'),
  });
});

test('the form of a sponsor’s page works by keyboard, and sends and stores nothing', async ({ page }) => {
  const alerts: string[] = [];
  page.on('dialog', async (dialog) => {
    alerts.push(`${dialog.type()}: ${dialog.message()}`);
    await dialog.accept();
  });
  const path = '/offer-landing/hearing-aids';
  await page.goto(path);
  const requests: string[] = [];
  page.on('request', (request) => {
    // Ignores prefetched build files, which contain no input.
    const isPrefetch = /\/(?:assets|remotes\/[\w-]+\/[\w.-]+)\/[\w.-]+\.[0-9a-f]{8,12}\.(?:js|css)$|\/registry\.json$/;
    if (!isPrefetch.test(request.url())) requests.push(request.url());
  });
  await page.getByRole('heading', { level: 1 }).focus();
  for (const [name, value] of [
    ['Full name', 'Ruth Reader'],
    ['Phone number', '207-555-0100'],
    ['Email address', 'not an address'],
    ['ZIP code', '04101'],
  ] as const) {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('textbox', { name })).toBeFocused();
    await page.keyboard.type(value);
  }
  await page.keyboard.press('Enter');
  const notice = 'alert: This is a demo. Nothing you entered was sent.';
  await expect.poll(() => alerts).toEqual([notice]);
  await page.getByRole('button', { name: 'Start my free trial' }).press('Space');
  await expect.poll(() => alerts).toEqual([notice, notice]);
  await expect(page).toHaveURL(path);
  expect(requests).toEqual([]);
  const stored = () => [JSON.stringify({ ...localStorage, ...sessionStorage }), document.cookie].join();
  expect(await page.evaluate(stored)).not.toMatch(/Ruth|555|04101|not an address/);
});

test('the redirect page counts down four seconds, opens the website in a new tab, and goes to the thank-you page', async ({
  page,
}) => {
  const destination = 'https://sponsors.daybook.example/food-benefits-guide';
  const start = Date.now();
  await page.clock.install({ time: start });
  await page.goto('/terms');
  await page.clock.pauseAt(start + 60_000);
  // Client-side navigation, so that the countdown starts with a stopped clock.
  await page.evaluate(
    (to) => {
      const link = Object.assign(document.createElement('a'), { href: to, textContent: 'redirect' });
      document.querySelector('main')?.append(link);
    },
    `/redirect?url=${encodeURIComponent(destination)}`,
  );
  await page.getByRole('link', { name: 'redirect', exact: true }).click();
  const bar = page.getByRole('progressbar', { name: 'Time until the website opens' });
  await expect(page.getByText('Opens in 4 seconds')).toBeVisible();
  await expect(bar).toHaveJSProperty('value', 0);
  await page.clock.runFor(1900);
  await expect(page.getByText('Opens in 3 seconds')).toBeVisible();
  await expect(bar).toHaveJSProperty('value', 1900);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect(bar).toHaveJSProperty('value', 1000);
  await page.clock.runFor(2099);
  await expect(page).toHaveURL(/\/redirect/);
  expect(page.context().pages()).toHaveLength(1);

  const tab = page.context().waitForEvent('page');
  await page.clock.runFor(1);
  await expect(page).toHaveURL('/thank-you');
  await expect.poll(async () => (await tab).url()).toBe(destination);
  expect(await (await tab).evaluate(() => [opener, document.referrer])).toEqual([null, '']);
  await expect(page.getByText(/Your browser blocked/)).toHaveCount(0);
  // Back skips the countdown.
  await page.goBack();
  await expect(page).toHaveURL('/terms');
});

test.describe('with a finger', () => {
  test.use({ hasTouch: true });

  test('a tap explains “Sponsored”; a tap elsewhere and Escape hide the explanation', async ({ page }) => {
    await page.goto('/continue-registration?id=7');
    const badge = page.getByRole('button', { name: 'Sponsored' });
    const tooltip = page.getByRole('tooltip');
    for (const hide of [() => page.getByRole('heading', { level: 1 }).tap(), () => page.keyboard.press('Escape')]) {
      await badge.tap();
      await expect(tooltip).toHaveText('Sponsors pay for the newsletter so you don’t have to.');
      await expect(badge).toHaveAccessibleDescription(/Sponsors pay/);
      await hide();
      await expect(tooltip).toBeHidden();
    }
  });
});
