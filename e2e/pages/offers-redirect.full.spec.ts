import type { Page } from '@playwright/test';
import { expect, recordCalls, stubSponsors, test } from '../support/test.ts';

const destination = 'https://sponsors.daybook.example/food-benefits-guide';
const address = `/redirect?url=${encodeURIComponent(destination)}`;

/** Navigates to the page with a stopped clock, at the start of the countdown. */
async function openAtStandstill(page: Page): Promise<void> {
  await stubSponsors(page);
  const start = Date.now();
  await page.clock.install({ time: start });
  await page.goto('/terms');
  await page.clock.pauseAt(start + 60_000);
  // Client-side navigation, so that the countdown starts with a stopped clock.
  await page.evaluate((to) => {
    const link = document.createElement('a');
    link.href = to;
    link.textContent = 'redirect';
    document.querySelector('main')?.append(link);
  }, address);
  await page.getByRole('link', { name: 'redirect', exact: true }).click();
  await expect(page.getByText('sponsors.daybook.example')).toBeVisible();
}

const openTabs = (page: Page) =>
  page
    .context()
    .pages()
    .map((tab) => tab.url())
    .filter((url) => url !== page.url());

test('counts down four seconds, opens the website in a new tab, and goes to the thank-you page', async ({ page }) => {
  await openAtStandstill(page);
  const bar = page.getByRole('progressbar', { name: 'Time until the website opens' });
  await expect(page.getByRole('heading', { level: 1, name: 'Taking you to another website' })).toBeVisible();
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

test('announces the countdown at its start, and not every second', async ({ page }) => {
  await openAtStandstill(page);
  const status = page.getByRole('main').getByRole('status');
  await page.clock.runFor(100);
  const start = 'sponsors.daybook.example opens in a new tab in 4 seconds, unless you stop it.';
  await expect(status).toHaveText(start);
  await page.clock.runFor(2900);
  await expect(page.getByText('Opens in 1 second')).toBeVisible();
  await expect(status).toHaveText(start);
});

test('can be stopped and restarted by keyboard', async ({ page }) => {
  await openAtStandstill(page);
  await page.clock.runFor(3000);
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('Tab');
  const button = page.getByRole('main').getByRole('button');
  await expect(button).toBeFocused();
  await expect(button).toHaveText('Stop');
  await page.keyboard.press('Enter');
  await expect(button).toHaveText('Start again');
  await expect(button).toBeFocused();
  await expect(page.getByRole('main').getByRole('status')).toHaveText('Stopped. Nothing opens until you say so.');
  await page.clock.runFor(60_000);
  await expect(page).toHaveURL(/\/redirect/);
  expect(openTabs(page)).toEqual([]);

  await page.keyboard.press('Space');
  await expect(page.getByText('Opens in 4 seconds')).toBeVisible();
  await page.clock.runFor(4000);
  await expect(page).toHaveURL('/thank-you');
  await expect.poll(() => openTabs(page)).toEqual([destination]);
});

test('“click here” opens one tab at once and goes to the thank-you page', async ({ page }) => {
  await openAtStandstill(page);
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

for (const query of [
  '',
  '?url=',
  '?url=sponsors.daybook.example',
  '?url=/thank-you',
  '?url=//sponsors.daybook.example',
  '?url=%5C%5Csponsors.daybook.example',
  '?url=javascript:alert(1)',
  '?url=data:text/html,x',
  '?url=https://bank.example@sponsors.daybook.example/',
  '?url=%20https://sponsors.daybook.example',
  '?url=ht%0Atps://sponsors.daybook.example',
  '?url=https://spon%20sors.daybook.example/',
]) {
  test(`“${query}” is not a valid url and redirects to the home page`, async ({ page }) => {
    await page.goto('/terms');
    await page.goto(`/redirect${query}`);
    await expect(page).toHaveURL('/');
    expect(openTabs(page)).toEqual([]);
    await page.goBack();
    await expect(page).toHaveURL('/terms');
  });
}

for (const rest of ['a+b?q=c+d', 'a%20b?q=c%20d']) {
  test(`opens an address with “${rest}” unchanged`, async ({ page }) => {
    await stubSponsors(page);
    await page.goto(`/redirect?url=https://sponsors.daybook.example/${rest}`);
    const link = page.getByRole('link', { name: 'click here' });
    await expect(link).toHaveAttribute('href', `https://sponsors.daybook.example/${rest}`);
    await link.click();
    await expect(page).toHaveURL('/thank-you');
    await expect.poll(() => openTabs(page)).toEqual([`https://sponsors.daybook.example/${rest}`]);
  });
}

test('is excluded from search engines and makes no call', async ({ page }) => {
  const calls = recordCalls(page);
  await page.goto(address);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/);
  expect(calls).toEqual([]);
});

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });
  test('the bar advances once a second', async ({ page }) => {
    await openAtStandstill(page);
    const bar = page.getByRole('progressbar', { name: 'Time until the website opens' });
    await page.clock.runFor(1900);
    await expect(page.getByText('Opens in 3 seconds')).toBeVisible();
    await expect(bar).toHaveJSProperty('value', 1000);
  });
});
