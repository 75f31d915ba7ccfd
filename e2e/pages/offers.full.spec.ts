import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, stubSponsors, test } from '../support/test.ts';

test.beforeEach(({ page }) => stubSponsors(page));

const openTabs = (page: Page) =>
  page
    .context()
    .pages()
    .map((tab) => tab.url())
    .filter((url) => url !== page.url());

test.describe('the senior guide', () => {
  const address = '/ebook-download?email=first.last%2Btag%40example.com';

  test('names its recipient, and downloads a PDF with the stated size and number of pages', async ({ page }) => {
    await page.goto(address);
    await expect(page.getByText('Guide for:')).toHaveText('Guide for: first.last+tag@example.com');
    await expect(page.getByRole('main')).toContainText('Savings of up to $5,000 a year');
    const link = page.getByRole('link', { name: 'Download the free guide' });
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('Tab');
    await expect(link).toBeFocused();
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(file.suggestedFilename()).toBe('senior-savings-guide.pdf');
    const content = await readFile(await file.path());
    expect(content.subarray(0, 5).toString()).toBe('%PDF-');
    const pages = content.toString('latin1').match(/\/Type \/Page\n/g)?.length ?? 0;
    expect(pages).toBeGreaterThanOrEqual(8);
    await expect(page.getByText(`PDF, ${pages} pages, ${Math.ceil(content.length / 1000)} kB`)).toBeVisible();
    const response = await page.request.get((await link.getAttribute('href')) ?? '');
    expect(response.headers()).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': expect.stringContaining('immutable'),
    });
    expect((await response.body()).equals(content)).toBe(true);
  });

  test('opens the bonus housing guide, marked as sponsored, in a new tab without a way back', async ({ page }) => {
    await page.goto(address);
    const bonus = page.getByRole('region', { name: 'Bonus: the housing guide' });
    await expect(bonus).toContainText('Sponsored');
    const tab = page.context().waitForEvent('page');
    await bonus.getByRole('link', { name: 'Get the bonus housing guide' }).click();
    await expect.poll(async () => (await tab).url()).toBe('https://sponsors.daybook.example/housing-guide');
    expect(await (await tab).evaluate(() => [opener, document.referrer])).toEqual([null, '']);
    await expect(page).toHaveURL(address);
  });
});

for (const [path, button] of [
  ['/offer-landing/dental-savings', 'See plans near me'],
  ['/offer-landing/hearing-aids', 'Start my free trial'],
] as const)
  test(`the form of ${path} works by keyboard, and sends and stores nothing`, async ({ page }) => {
    const alerts: string[] = [];
    page.on('dialog', async (dialog) => {
      alerts.push(`${dialog.type()}: ${dialog.message()}`);
      await dialog.accept();
    });
    await page.goto(path);
    const requests: string[] = [];
    page.on('request', (request) => {
      // Ignores prefetched build files, which contain no input.
      const isPrefetch = /\/(?:assets|remotes\/[\w-]+\/[\w.-]+)\/[\w.-]+\.[0-9a-f]{8}\.(?:js|css)$|\/registry\.json$/;
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
    const notice = 'This is a demo. Nothing you entered was sent.';
    await page.keyboard.press('Enter');
    await expect.poll(() => alerts).toEqual([`alert: ${notice}`]);
    await expect(page.getByRole('main').getByRole('status')).toHaveText(notice);
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: button })).toBeFocused();
    await page.keyboard.press('Space');
    await expect.poll(() => alerts).toHaveLength(2);
    await expect(page).toHaveURL(path);
    expect(requests).toEqual([]);
    const stored = () => [JSON.stringify({ ...localStorage, ...sessionStorage }), document.cookie].join();
    expect(await page.evaluate(stored)).not.toMatch(/Ruth|555|04101|not an address/);
  });

test.describe('the redirect page', () => {
  const destination = 'https://sponsors.daybook.example/food-benefits-guide';

  test.beforeEach('open the page at the start of its countdown, with a stopped clock', async ({ page }) => {
    const start = Date.now();
    await page.clock.install({ time: start });
    await page.goto('/terms');
    await page.clock.pauseAt(start + 60_000);
    // Client-side navigation, so that the countdown starts with a stopped clock.
    await page.evaluate(
      (to) => {
        const link = document.createElement('a');
        link.href = to;
        link.textContent = 'redirect';
        document.querySelector('main')?.append(link);
      },
      `/redirect?url=${encodeURIComponent(destination)}`,
    );
    await page.getByRole('link', { name: 'redirect', exact: true }).click();
    await expect(page.getByText('sponsors.daybook.example')).toBeVisible();
  });

  test('counts down four seconds, opens the website in a new tab, and goes to the thank-you page', async ({ page }) => {
    const bar = page.getByRole('progressbar', { name: 'Time until the website opens' });
    await expect(page.getByText('Opens in 4 seconds')).toBeVisible();
    await expect(bar).toHaveJSProperty('value', 0);
    await page.clock.runFor(2000);
    await expect(page.getByText('Opens in 2 seconds')).toBeVisible();
    await expect(bar).toHaveJSProperty('value', 2000);
    await page.clock.runFor(1999);
    await expect(page).toHaveURL(/\/redirect/);
    expect(openTabs(page)).toEqual([]);

    const tab = page.context().waitForEvent('page');
    await page.clock.runFor(1);
    await expect(page).toHaveURL('/thank-you');
    await expect.poll(async () => (await tab).url()).toBe(destination);
    expect(await (await tab).evaluate(() => [opener, document.referrer])).toEqual([null, '']);
    await expect(page.getByText(/held back/)).toHaveCount(0);
    // Back skips the countdown.
    await page.goBack();
    await expect(page).toHaveURL('/terms');
  });

  test('“click here” opens one tab at once and goes to the thank-you page', async ({ page }) => {
    await page.getByRole('button', { name: 'Stop' }).focus();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'click here' })).toBeFocused();
    await page.keyboard.press('Enter');
    await page.clock.runFor(100);
    await expect(page).toHaveURL('/thank-you');
    await expect.poll(() => openTabs(page)).toEqual([destination]);
    await page.clock.runFor(10_000);
    expect(openTabs(page)).toHaveLength(1);
  });

  test.describe('with reduced motion', () => {
    test.use({ contextOptions: { reducedMotion: 'reduce' } });

    test('advances its bar once a second', async ({ page }) => {
      await page.clock.runFor(1900);
      await expect(page.getByText('Opens in 3 seconds')).toBeVisible();
      await expect(page.getByRole('progressbar')).toHaveJSProperty('value', 1000);
    });
  });
});

test.describe('with a finger', () => {
  test.use({ hasTouch: true });

  test('a tap explains “Sponsored”; a second tap, a tap elsewhere and Escape hide the explanation', async ({
    page,
  }) => {
    await page.goto('/continue-registration?id=7');
    const badge = page.getByRole('button', { name: 'Sponsored' });
    const tooltip = page.getByRole('tooltip');
    for (const hide of [
      () => badge.tap(),
      () => page.getByRole('heading', { level: 1 }).tap(),
      () => page.keyboard.press('Escape'),
    ]) {
      // The second tap of a double tap is ignored, so a tap at the same place is tried again.
      await expect(async () => {
        await badge.tap();
        await expect(tooltip).toHaveText('Sponsors pay for the newsletter, so that you don’t have to.', {
          timeout: 100,
        });
      }).toPass({ intervals: [700] });
      await expect(badge).toHaveAccessibleDescription(/Sponsors pay/);
      await expect(async () => {
        await hide();
        await expect(tooltip).toBeHidden({ timeout: 100 });
      }).toPass({ intervals: [700] });
    }
  });
});
